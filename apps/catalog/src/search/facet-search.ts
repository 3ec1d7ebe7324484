import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  FACET_FIELDS,
  FACETS_PARAMETERS,
  type Facets,
} from '@carbon/contracts';
import type { CriteriaField } from '@carbon/criteria';
import { type JsonResponse, jsonResponse, optional, readParameters } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ResponseCache } from '../response-cache/response-cache.js';
import type { Query } from './clause-count.js';
import { facetAggregation, facetAggregations, facetOf } from './facet-fields.js';
import { readFullText } from './full-text-terms.js';
import { SearchClient } from './search-client.js';
import { namesParameter } from './search-parameters.js';
import { CRITERIA_FIELDS, checkClauseCount, compileCriteria } from './search-plan.js';
import { searchQuery } from './search-query.js';

const MAX_BYTES = 4 * 1024 * 1024;

const response = z.object({ total: facetAggregation.required({ doc_count: true }) }).catchall(facetAggregation);

interface FacetPlan {
  readonly type: AssetType;
  readonly query: Query;
  readonly fields: readonly CriteriaField[];
}

/**
 * Counts the assets that a search finds, by the values of their fields. Each value has the clause that narrows the search to it.
 */
@Injectable()
export class FacetSearch {
  private readonly cache = new ResponseCache<JsonResponse>(MAX_BYTES);

  constructor(private readonly client: SearchClient) {}

  /**
   * @param signal aborts when the client disconnects
   * @throws RequestError invalid_criteria, invalid_request
   * @throws TransientError when the library cannot be searched now
   */
  response(url: string, signal: AbortSignal): Promise<JsonResponse> {
    const plan = planFacets(url);
    const fetch = async (requestedAt: number, abandoned: AbortSignal) =>
      jsonResponse(requestedAt, Buffer.from(JSON.stringify(await this.find(plan, abandoned))));
    return this.cache.get(url, fetch, signal);
  }

  private async find({ type, query, fields }: FacetPlan, signal: AbortSignal): Promise<Facets> {
    const byField = Object.assign({}, ...fields.map(({ name }) => facetAggregations(name as AssetFieldName)));
    const aggs = { ...byField, total: { filter: { match_all: {} } } };
    const found = await this.client.aggregate(type, { query, aggs }, response, signal);
    return { total: found.total.doc_count, facets: fields.map((field) => facetOf(field, found)) };
  }
}

const parametersOf = (type: AssetType) => ({
  ...FACETS_PARAMETERS,
  fields: optional(namesParameter(z.string(), type, 'cannot be counted by', FACET_FIELDS)),
});
const PARAMETERS = { pools: parametersOf('POOL'), projects: parametersOf('PROJECT') };

function planFacets(url: string): FacetPlan {
  const { kind } = readParameters(url, { ...FACETS_PARAMETERS });
  const { criteria, fullTextSearch, fields } = readParameters(url, PARAMETERS[kind]);
  const type = kind === 'pools' ? 'POOL' : 'PROJECT';
  const { query: filter } = compileCriteria(criteria, type);
  const fullText = readFullText(fullTextSearch);
  if (!fullText.isBlank) checkClauseCount({ filter, fullText });
  const own = FACET_FIELDS.filter((name) => (ASSET_FIELDS[name] as AssetField).on.includes(type));
  const names = fields?.names ?? own;
  return {
    type,
    query: searchQuery({ filter, fullText }),
    fields: names.flatMap((name) => CRITERIA_FIELDS[type].find(name) ?? []),
  };
}
