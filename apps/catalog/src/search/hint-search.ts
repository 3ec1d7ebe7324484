import {
  type AssetFieldName,
  type AssetType,
  type ClauseHint,
  HINTS_PARAMETERS,
  MAX_HINTS,
  type NearValues,
  type SearchHints,
} from '@carbon/contracts';
import { type ClauseValue, clausesOf } from '@carbon/criteria';
import { readParameters } from '@carbon/http';
import { z } from 'zod';
import { isListed, publishedValues } from '../index/listed-fields.js';
import type { Query } from './clause-count.js';
import { fullTextQuery } from './full-text-query.js';
import { nearValues } from './near-values.js';
import type { SearchClient } from './search-client.js';
import { CRITERIA_FIELDS, readFilters } from './search-plan.js';
import { searchQuery } from './search-query.js';

/** How many of the most frequent values of a field are compared. */
const MAX_VALUES = 1_000;

interface Clause extends Pick<ClauseHint, 'parameter' | 'text'> {
  readonly query: Query;
  readonly values: readonly ClauseValue[];
}

interface HintPlan {
  readonly type: AssetType;
  readonly whole: Query;
  readonly clauses: readonly Clause[];
  /** The fields whose values are compared. */
  readonly fields: readonly AssetFieldName[];
}

const bucketsOf = <T extends z.ZodType>(bucket: T) => z.object({ buckets: z.array(bucket) });
const found = z.intersection(
  z.object({ matches: bucketsOf(z.object({ doc_count: z.int() })) }),
  z.record(z.string(), bucketsOf(z.object({ key: z.string().optional(), doc_count: z.int() }))),
);
type Found = z.output<typeof found>;

/**
 * Explains why a search finds nothing: what each clause matches alone, and values like those that it names. One request to
 * OpenSearch, however many clauses and fields.
 * @throws RequestError invalid_criteria, invalid_request
 * @throws TransientError when the library cannot be searched now
 */
export async function findHints(url: string, client: SearchClient, signal: AbortSignal): Promise<SearchHints> {
  const { type, whole, clauses, fields } = planHints(url);
  const matches = { filters: { filters: [whole, ...clauses.map(({ query }) => query)] } };
  const values = fields.map((name) => [name, { terms: { field: publishedValues(name), size: MAX_VALUES } }]);
  return hintsFrom(
    clauses,
    await client.aggregate(type, { aggs: { ...Object.fromEntries(values), matches } }, found, signal),
  );
}

function planHints(url: string): HintPlan {
  const { kind, ...sent } = readParameters(url, HINTS_PARAMETERS);
  const { criteria, fullTextSearch } = sent;
  const type = kind === 'pools' ? 'POOL' : 'PROJECT';
  const { filter, fullText } = readFilters(type, sent);
  const words = { parameter: 'fullTextSearch', text: fullTextSearch, values: [] } as const;
  const clauses = [
    ...(fullText.isBlank ? [] : [{ ...words, query: fullTextQuery(fullText) }]),
    ...clausesOf(criteria, CRITERIA_FIELDS[type]).map((clause) => ({ parameter: 'criteria', ...clause }) as const),
  ].slice(0, MAX_HINTS.clauses);
  const named = clauses.flatMap(({ values }) => values.map(({ field }) => field as AssetFieldName));
  return { type, whole: searchQuery({ filter, fullText }), clauses, fields: [...new Set(named)].filter(isListed) };
}

function hintsFrom(clauses: readonly Clause[], found: Found): SearchHints {
  const [total = 0, ...counts] = found.matches.buckets.map((bucket) => bucket.doc_count);
  let left: number = MAX_HINTS.compared;
  const near = (one: ClauseValue): readonly NearValues[] => {
    const values = found[one.field]?.buckets.flatMap(({ key }) => key ?? []);
    return values === undefined || left-- <= 0 ? [] : [{ ...one, near: [...nearValues(one, values)] }];
  };
  const hints = clauses.map(({ parameter, text, values }, at): ClauseHint => {
    const total = counts[at] ?? 0;
    const similar = total === 0 ? values.flatMap(near) : [];
    return { parameter, text, total, ...(similar.length > 0 && { values: similar }) };
  });
  return { total, clauses: hints };
}
