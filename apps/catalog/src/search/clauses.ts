import type { Query } from './query.js';

/** OpenSearch refuses a query with more clauses (`indices.query.bool.max_clause_count`), however they are spread. */
export const MOST_CLAUSES = 1_024;

/** Words that the standard tokenizer keeps whole up to 255 letters; of others every character may become one. */
const ONE_WORD = /^[\p{Script=Latin}0-9]{1,255}$/u;

type Counter = (body: unknown) => number;

/**
 * What each kind of clause comes to, at most, once OpenSearch has rewritten it. Numbers and keywords are looked up by
 * two ways of which it chooses while it searches, and both count.
 */
const COUNTERS: Readonly<Record<string, Counter>> = {
  match_all: () => 1,
  match_none: () => 1,
  match_phrase: () => 1,
  exists: () => 2,
  match: (body) => tokensOf(Object.values(body as Record<string, { readonly query: string }>)[0]?.query ?? ''),
  constant_score: (body) => clausesIn((body as { readonly filter: Query }).filter),
  dis_max: (body) => sum((body as { readonly queries: readonly Query[] }).queries),
  bool: (body) => inBool(body as Readonly<Record<string, readonly Query[]>>),
};

/** How many clauses OpenSearch counts in a query, at most. */
export function clausesIn(query: Query): number {
  const counts = Object.entries(query).map(([kind, body]) => COUNTERS[kind]?.(body) ?? 2);
  return counts.reduce((total, count) => total + count, 0);
}

// What is only negated is taken off everything, which counts; a negated range may be turned into two that are not.
function inBool({
  filter = [],
  must = [],
  should = [],
  must_not: not = [],
}: Readonly<Record<string, readonly Query[]>>) {
  const everything = not.length > 0 ? 1 : 0;
  const turned = not.filter((query) => 'range' in query).length * 2;
  return sum(filter) + sum(must) + sum(should) + sum(not) + everything + turned;
}

function sum(queries: readonly Query[]): number {
  return queries.reduce((total, query) => total + clausesIn(query), 0);
}

function tokensOf(text: string): number {
  return ONE_WORD.test(text) ? 1 : [...text].length;
}
