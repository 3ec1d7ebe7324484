/** A part of OpenSearch's query DSL: JSON. */
export type Query = { readonly [key: string]: unknown };

/** OpenSearch rejects a query with more clauses in total (`indices.query.bool.max_clause_count`). */
export const MAX_CLAUSES = 1_024;

/** Words that the standard tokenizer keeps whole, up to 255 letters; of other text every character may become a token. */
const ONE_WORD = /^[\p{Script=Latin}0-9]{1,255}$/u;

/** OpenSearch has two queries for numbers and dates, chooses one while it searches, and counts both. */
const CLAUSES_PER_NUMBER = 2;

/** The maximum number of clauses of each kind of query after OpenSearch has rewritten it. */
const COUNTERS: Readonly<Record<string, (body: unknown) => number>> = {
  match_all: () => 1,
  match_none: () => 1,
  match_phrase: () => 1,
  prefix: () => 1,
  wildcard: () => 1,
  term: (body) => clausesOf(valuesIn(body)),
  terms: (body) => clausesOf(valuesIn(body)),
  range: () => CLAUSES_PER_NUMBER,
  match: (body) => tokensOf(Object.values(body as Record<string, { readonly query: string }>)[0]?.query ?? ''),
  constant_score: (body) => clausesIn((body as { readonly filter: Query }).filter),
  dis_max: (body) => sum((body as { readonly queries: readonly Query[] }).queries),
  bool: (body) => inBool(body as Readonly<Record<string, readonly Query[]>>),
};

/** Returns the maximum number of clauses that OpenSearch may count in a query. */
export function clausesIn(query: Query): number {
  const counts = Object.entries(query).map(([kind, body]) => COUNTERS[kind]?.(body) ?? 2);
  return counts.reduce((total, count) => total + count, 0);
}

// A bool with only negations gets a match_all, which counts, unless OpenSearch rewrites a negation to positive clauses.
function inBool({
  filter = [],
  must = [],
  should = [],
  must_not: not = [],
}: Readonly<Record<string, readonly Query[]>>) {
  const positive = sum(filter) + sum(must) + sum(should);
  const rewritten = not.reduce((total, query) => total + Math.max(clausesIn(query), complementOf(query)), 0);
  return Math.max(positive + rewritten, Math.max(positive, 1) + sum(not));
}

/**
 * With `search.query_rewriting.enabled`, and one value per document, OpenSearch rewrites negated numbers to the ranges around
 * them.
 */
function complementOf({ range, term, terms }: Query): number {
  if (range !== undefined) return boundsOf(range) * CLAUSES_PER_NUMBER;
  const values = valuesIn(term ?? terms ?? {});
  return clausesOf(values) === 1 ? 0 : (values.length + 1) * CLAUSES_PER_NUMBER;
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

function clausesOf(values: readonly unknown[]): number {
  return values.some((value) => typeof value === 'number') ? CLAUSES_PER_NUMBER : 1;
}

function sum(queries: readonly Query[]): number {
  return queries.reduce((total, query) => total + clausesIn(query), 0);
}

function tokensOf(text: string): number {
  return ONE_WORD.test(text) ? 1 : [...text].length;
}
