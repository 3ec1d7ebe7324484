import type { CheckedNode, Scalar } from '../check/nodes.js';
import type { CriteriaField } from '../fields.js';
import { compileTerms } from './predicates.js';
import type { QueryClause } from './query.js';

interface Equalities {
  readonly field: CriteriaField;
  readonly values: Scalar[];
  /** Which of the clauses they are. */
  readonly place: number;
}

/** The clauses of alternatives, where equalities on one field become one clause at the place of the first. */
export function mergeEqualities(
  terms: readonly CheckedNode[],
  compile: (node: CheckedNode) => QueryClause,
): readonly QueryClause[] {
  const clauses: QueryClause[] = [];
  const begun: Equalities[] = [];
  for (const term of terms) {
    const earlier = term.kind === 'equal' ? equalitiesOn(term.field, begun) : undefined;
    if (term.kind === 'equal' && earlier !== undefined) earlier.values.push(term.value);
    else {
      if (term.kind === 'equal') begun.push({ field: term.field, values: [term.value], place: clauses.length });
      clauses.push(compile(term));
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
