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
import { type JsonResponse, jsonResponse, readParameters } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { isListed, publishedValues } from '../index/listed-fields.js';
import { ResponseCache } from '../response-cache/response-cache.js';
import type { Query } from './clause-count.js';
import { fullTextQuery } from './full-text-query.js';
import { readFullText } from './full-text-terms.js';
import { nearValues } from './near-values.js';
import { SearchClient } from './search-client.js';
import { CRITERIA_FIELDS, checkClauseCount, compileCriteria } from './search-plan.js';
import { searchQuery } from './search-query.js';

const MAX_BYTES = 4 * 1024 * 1024;
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

/** Explains why a search finds nothing: what each clause matches alone, and values like those that it names. */
@Injectable()
export class HintSearch {
  private readonly cache = new ResponseCache<JsonResponse>(MAX_BYTES);

  constructor(private readonly client: SearchClient) {}

  /**
   * @param signal aborts when the client disconnects
   * @throws RequestError invalid_criteria, invalid_request
   * @throws TransientError when the library cannot be searched now
   */
  response(url: string, signal: AbortSignal): Promise<JsonResponse> {
    const plan = planHints(url);
    const fetch = async (requestedAt: number, abandoned: AbortSignal) => {
      const hints = hintsFrom(plan, await this.find(plan, abandoned));
      return jsonResponse(requestedAt, Buffer.from(JSON.stringify(hints)));
    };
    return this.cache.get(url, fetch, signal);
  }

  /** One request, however many clauses and fields. */
  private find({ type, whole, clauses, fields }: HintPlan, signal: AbortSignal): Promise<Found> {
    const matches = { filters: { filters: [whole, ...clauses.map(({ query }) => query)] } };
    const values = fields.map((name) => [name, { terms: { field: publishedValues(name), size: MAX_VALUES } }]);
    return this.client.aggregate(type, { aggs: { ...Object.fromEntries(values), matches } }, found, signal);
  }
}

function planHints(url: string): HintPlan {
  const { kind, criteria, fullTextSearch } = readParameters(url, HINTS_PARAMETERS);
  const type = kind === 'pools' ? 'POOL' : 'PROJECT';
  const { query: filter } = compileCriteria(criteria, type);
  const fullText = readFullText(fullTextSearch);
  if (!fullText.isBlank) checkClauseCount({ filter, fullText });
  const words = { parameter: 'fullTextSearch', text: fullTextSearch, values: [] } as const;
  const clauses = [
    ...(fullText.isBlank ? [] : [{ ...words, query: fullTextQuery(fullText) }]),
    ...clausesOf(criteria, CRITERIA_FIELDS[type]).map((clause) => ({ parameter: 'criteria', ...clause }) as const),
  ].slice(0, MAX_HINTS.clauses);
  const named = clauses.flatMap(({ values }) => values.map(({ field }) => field as AssetFieldName));
  return { type, whole: searchQuery({ filter, fullText }), clauses, fields: [...new Set(named)].filter(isListed) };
}

function hintsFrom({ clauses }: HintPlan, found: Found): SearchHints {
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
