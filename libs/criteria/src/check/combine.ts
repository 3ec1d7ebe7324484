import type { CheckedNode } from './nodes.js';

/** Joins terms, taking in those of the same kind: `(a or b) or c` is one `or` of three. */
export function combine(kind: 'and' | 'or', terms: readonly CheckedNode[]): CheckedNode {
  const first = terms[0];
  if (first !== undefined && terms.length === 1) return first;
  return { kind, terms: flattened(kind, terms) };
}

function flattened(kind: 'and' | 'or', terms: readonly CheckedNode[]): readonly CheckedNode[] {
  for (const { kind: inner } of terms) {
    if (inner === kind) return terms.flatMap((term) => (term.kind === kind ? term.terms : [term]));
  }
  return terms;
}

/** The complement; two negations cancel. */
export function negate(term: CheckedNode): CheckedNode {
  return term.kind === 'not' ? term.term : { kind: 'not', term };
}
