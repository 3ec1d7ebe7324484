import type { CheckedPredicate, Scalar } from '../check/nodes.js';
import type { CriteriaField } from '../fields.js';
import { compilePattern } from './pattern.js';
import { on, type QueryClause } from './query.js';

const DATE_FORMAT = 'strict_date_optional_time';

/** The part of the index that holds a field's whole value. */
export function wholeValuePath(field: CriteriaField): string {
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
