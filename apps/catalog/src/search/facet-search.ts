import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  FACET_FIELDS,
  FACETS_PARAMETERS,
  type Facets,
} from '@carbon/contracts';
import { optional, readParameters } from '@carbon/http';
import { z } from 'zod';
import { facetAggregation, facetAggregations, facetOf } from './facet-fields.js';
import type { SearchClient } from './search-client.js';
import { namesParameter } from './search-parameters.js';
import { CRITERIA_FIELDS, readFilters } from './search-plan.js';
import { searchQuery } from './search-query.js';

const response = z.object({ total: facetAggregation.required({ doc_count: true }) }).catchall(facetAggregation);

const parametersOf = (type: AssetType) => ({
  ...FACETS_PARAMETERS,
  fields: optional(namesParameter(z.string(), type, 'cannot be counted by', FACET_FIELDS)),
});
const PARAMETERS = { pools: parametersOf('POOL'), projects: parametersOf('PROJECT') };

/**
 * Counts the assets that a search finds, by the values of their fields. Each value has the clause that narrows the search to it.
 * @throws RequestError invalid_criteria, invalid_request
 * @throws TransientError when the library cannot be searched now
 */
export async function findFacets(url: string, client: SearchClient, signal: AbortSignal): Promise<Facets> {
  const { kind } = readParameters(url, { ...FACETS_PARAMETERS });
  const { fields, ...sent } = readParameters(url, PARAMETERS[kind]);
  const type = kind === 'pools' ? 'POOL' : 'PROJECT';
  const query = searchQuery(readFilters(type, sent));
  const own = FACET_FIELDS.filter((name) => (ASSET_FIELDS[name] as AssetField).on.includes(type));
  const counted = (fields?.names ?? own).flatMap((name) => CRITERIA_FIELDS[type].find(name) ?? []);
  const byField = Object.assign({}, ...counted.map(({ name }) => facetAggregations(name as AssetFieldName)));
  const aggs = { ...byField, total: { filter: { match_all: {} } } };
  const found = await client.aggregate(type, { query, aggs }, response, signal);
  return { total: found.total.doc_count, facets: counted.map((field) => facetOf(field, found)) };
}
