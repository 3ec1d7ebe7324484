/** A piece of OpenSearch's query language: JSON. */
export type Query = { readonly [key: string]: unknown };

/** OpenSearch refuses a query with more clauses (`indices.query.bool.max_clause_count`), however they are spread. */
export const MOST_CLAUSES = 1_024;

/** Words that the standard tokenizer keeps whole up to 255 letters; of others every character may become one. */
const ONE_WORD = /^[\p{Script=Latin}0-9]{1,255}$/u;

type Counter = (body: unknown) => number;
type Bool = Readonly<Record<string, readonly Query[]>>;

/** Numbers and dates are looked up by two ways of which OpenSearch chooses while it searches, and both count. */
const WAYS_TO_NUMBERS = 2;

/** What each kind of clause comes to, at most, once OpenSearch has rewritten it. */
const COUNTERS: Readonly<Record<string, Counter>> = {
  match_all: () => 1,
  match_none: () => 1,
  match_phrase: () => 1,
  prefix: () => 1,
  wildcard: () => 1,
  term: (body) => waysTo(valuesIn(body)),
  terms: (body) => waysTo(valuesIn(body)),
  range: () => WAYS_TO_NUMBERS,
  match: (body) => tokensOf(Object.values(body as Record<string, { readonly query: string }>)[0]?.query ?? ''),
  constant_score: (body) => clausesIn((body as { readonly filter: Query }).filter),
  dis_max: (body) => sum((body as { readonly queries: readonly Query[] }).queries),
  bool: (body) => inBool(body as Bool),
};

/** How many clauses OpenSearch counts in a query, at most. */
export function clausesIn(query: Query): number {
  const counts = Object.entries(query).map(([kind, body]) => COUNTERS[kind]?.(body) ?? 2);
  return counts.reduce((total, count) => total + count, 0);
}

// What is only negated is taken off everything, which counts; unless some of it is turned into what must be.
function inBool({ filter = [], must = [], should = [], must_not: not = [] }: Bool): number {
  const positive = sum(filter) + sum(must) + sum(should);
  const turnedInto = not.reduce((total, query) => total + Math.max(clausesIn(query), turned(query)), 0);
  return Math.max(positive + turnedInto, Math.max(positive, 1) + sum(not));
}

/**
 * Where `search.query_rewriting.enabled` is on and all documents have one value, numbers that must not be are turned
 * into the ranges around them.
 */
function turned({ range, term, terms }: Query): number {
  if (range !== undefined) return boundsOf(range) * WAYS_TO_NUMBERS;
  const values = valuesIn(term ?? terms ?? {});
  return waysTo(values) === 1 ? 0 : (values.length + 1) * WAYS_TO_NUMBERS;
}

function boundsOf(range: unknown): number {
  const bounds = Object.values(range as Record<string, object>).flatMap((each) => Object.keys(each));
  return bounds.filter((name) => name !== 'format').length;
}

function valuesIn(body: unknown): readonly unknown[] {
  return Object.values(body as Record<string, unknown>).flatMap((values) => {
    return Array.isArray(values) ? values : [(values as { readonly value: unknown }).value];
  });
}

function waysTo(values: readonly unknown[]): number {
  return values.some((value) => typeof value === 'number') ? WAYS_TO_NUMBERS : 1;
}

function sum(queries: readonly Query[]): number {
  return queries.reduce((total, query) => total + clausesIn(query), 0);
}

function tokensOf(text: string): number {
  return ONE_WORD.test(text) ? 1 : [...text].length;
}
