import type { Query } from '../query.js';

/** The words of a text, side by side in one value of a field; a single word is the simplest case. */
export function phrase(field: string, text: string): Query {
  return { match_phrase: { [field]: { query: text } } };
}

/** At least one of them. */
export function anyOf(queries: readonly Query[]): Query {
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  return { bool: { should: queries, minimum_should_match: 1 } };
}

/** All of them. */
export function allOf(queries: readonly Query[]): Query {
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  return { bool: { filter: queries } };
}
