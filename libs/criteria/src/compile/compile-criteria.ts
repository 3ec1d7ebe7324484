import type { CheckedNode, Scalar } from '../check/nodes.js';
import type { CriteriaField } from '../fields.js';
import { compilePredicate, compileTerms, type QueryClause } from './predicates.js';

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
  const clauses = mergeEqualities(terms);
  const first = clauses[0];
  if (first !== undefined && clauses.length === 1) return first;
  return { bool: { should: clauses, minimum_should_match: 1 } };
}

interface Equalities {
  readonly field: CriteriaField;
  readonly values: Scalar[];
  /** Which of the clauses they are. */
  readonly place: number;
}

/** The clauses of alternatives, where equalities on one field become one clause at the place of the first. */
function mergeEqualities(terms: readonly CheckedNode[]): readonly QueryClause[] {
  const clauses: QueryClause[] = [];
  const begun: Equalities[] = [];
  for (const term of terms) {
    const earlier = term.kind === 'equal' ? equalitiesOn(term.field, begun) : undefined;
    if (term.kind === 'equal' && earlier !== undefined) earlier.values.push(term.value);
    else {
      if (term.kind === 'equal') begun.push({ field: term.field, values: [term.value], place: clauses.length });
      clauses.push(compileCriteria(term));
    }
  }
  for (const { field, values, place } of begun) {
    if (values.length > 1) clauses[place] = compileTerms(field, values);
  }
  return clauses;
}

/** Looks through one entry a field at most, so the time for a text stays linear. */
function equalitiesOn(field: CriteriaField, begun: readonly Equalities[]): Equalities | undefined {
  for (const equalities of begun) if (equalities.field === field) return equalities;
  return undefined;
}
