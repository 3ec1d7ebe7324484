import type { CheckedPredicate, Scalar } from '../check/nodes.js';
import type { CriteriaField } from '../fields.js';
import { CODE } from '../text/characters.js';

/** A clause of OpenSearch's query DSL. */
export type QueryClause = { readonly [name: string]: unknown };

/** `{[path]: content}`; written like that, a literal whose names vary takes V8 four times as long. */
export function on(path: string, content: unknown): QueryClause {
  const clause: Record<string, unknown> = {};
  clause[path] = content;
  return clause;
}

const DATE_FORMAT = 'strict_date_optional_time';

/** The part of the index that holds a field's whole value. */
function wholeValuePath(field: CriteriaField): string {
  return field.type === 'text' ? `${field.name}.exact` : field.name;
}

/** One condition as a clause; a new kind of condition is a new row. */
const PREDICATES: {
  readonly [K in CheckedPredicate['kind']]: (node: Extract<CheckedPredicate, { kind: K }>) => QueryClause;
} = {
  equal: ({ field, value }) => ({ term: on(wholeValuePath(field), { value }) }),
  words: ({ field, words }) => ({ match_phrase: on(field.name, { query: words }) }),
  pattern: ({ field, on, pattern }) => compilePattern(on === 'word' ? field.name : wholeValuePath(field), pattern),
  range: ({ field, bounds }) => ({ range: on(field.name, field.type === 'date' ? dateBounds(bounds) : bounds) }),
  exists: ({ field }) => ({ exists: { field: field.name } }),
};

/** The clause of one condition. */
export function compilePredicate(node: CheckedPredicate): QueryClause {
  switch (node.kind) {
    case 'equal':
      return PREDICATES.equal(node);
    case 'words':
      return PREDICATES.words(node);
    case 'pattern':
      return PREDICATES.pattern(node);
    case 'range':
      return PREDICATES.range(node);
    case 'exists':
      return PREDICATES.exists(node);
  }
}

/** Several equalities on one field: cheaper than as many clauses, and one clause towards the index's limit. */
export function compileTerms(field: CriteriaField, values: readonly Scalar[]): QueryClause {
  return { terms: on(wholeValuePath(field), values) };
}

/** Full timestamps with their format: the index would complete shorter ones in ways of its own. */
function dateBounds(bounds: object): QueryClause {
  const stamps = Object.entries(bounds).map(([relation, time]) => [relation, new Date(time).toISOString()]);
  return { ...Object.fromEntries(stamps), format: DATE_FORMAT };
}

/**
 * Returns the clause for a wildcard pattern on one OpenSearch path. A pattern that only fixes how the text begins becomes the
 * cheaper `prefix`; literal text needs no escapes there.
 */
export function compilePattern(path: string, pattern: string): QueryClause {
  const prefix = prefixOf(pattern);
  return prefix === undefined ? { wildcard: on(path, { value: pattern }) } : { prefix: on(path, { value: prefix }) };
}

/** The text before the only wildcard, when that is a `*` at the very end. */
function prefixOf(pattern: string): string | undefined {
  const last = pattern.length - 1;
  let prefix = '';
  let from = 0;
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.star) return at === last ? prefix + pattern.slice(from, at) : undefined;
    if (code === CODE.question) return undefined;
    if (code !== CODE.backslash) continue;
    prefix += pattern.slice(from, at);
    from = ++at;
  }
  return undefined;
}
