import type { CheckedNode, Scalar } from '../check/nodes.js';
import type { CriteriaField } from '../fields.js';
import { compileTerms } from './predicates.js';
import type { QueryClause } from './query.js';

interface Equalities {
  readonly field: CriteriaField;
  readonly node: CheckedNode;
  readonly values: Scalar[];
}

/** The clauses of alternatives, where equalities on one field become one clause at the place of the first. */
export function mergeEqualities(
  terms: readonly CheckedNode[],
  compile: (node: CheckedNode) => QueryClause,
): readonly QueryClause[] {
  const byField = new Map<CriteriaField, Equalities>();
  const groups: (CheckedNode | Equalities)[] = [];
  for (const term of terms) {
    const group = term.kind === 'equal' ? byField.get(term.field) : undefined;
    if (term.kind !== 'equal') groups.push(term);
    else if (group !== undefined) group.values.push(term.value);
    else {
      const begun = { field: term.field, node: term, values: [term.value] };
      byField.set(term.field, begun);
      groups.push(begun);
    }
  }
  return groups.map((group) => ('values' in group ? compileGroup(group, compile) : compile(group)));
}

function compileGroup(group: Equalities, compile: (node: CheckedNode) => QueryClause): QueryClause {
  return group.values.length === 1 ? compile(group.node) : compileTerms(group.field, group.values);
}
