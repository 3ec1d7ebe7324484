import type { CheckedNode } from '../check/nodes.js';
import { mergeEqualities } from './merge-equalities.js';
import { compilePredicate } from './predicates.js';
import type { QueryClause } from './query.js';

/**
 * The clause for a checked tree, to be put into `bool.filter`: it selects and never scores. Numbers, booleans and
 * text go as JSON values; nothing a client wrote becomes a field name or query syntax.
 */
export function compileCriteria(node: CheckedNode): QueryClause {
  switch (node.kind) {
    case 'everything':
      return { match_all: {} };
    case 'and':
      return compileAnd(node.terms);
    case 'or':
      return compileOr(node.terms);
    case 'not':
      return { bool: { must_not: [compileCriteria(node.term)] } };
    default:
      return compilePredicate(node);
  }
}

/** Negated terms go beside the others: `a and not b` is one `bool`. */
function compileAnd(terms: readonly CheckedNode[]): QueryClause {
  const filter: QueryClause[] = [];
  const mustNot: QueryClause[] = [];
  for (const term of terms) {
    if (term.kind === 'not') mustNot.push(compileCriteria(term.term));
    else filter.push(compileCriteria(term));
  }
  if (mustNot.length === 0) return { bool: { filter } };
  return { bool: filter.length === 0 ? { must_not: mustNot } : { filter, must_not: mustNot } };
}

/** `should` stands alone in its `bool`, with its minimum: beside `filter` the index would make it optional. */
function compileOr(terms: readonly CheckedNode[]): QueryClause {
  const clauses = mergeEqualities(terms, compileCriteria);
  const first = clauses[0];
  if (first !== undefined && clauses.length === 1) return first;
  return { bool: { should: clauses, minimum_should_match: 1 } };
}
