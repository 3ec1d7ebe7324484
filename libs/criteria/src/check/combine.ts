import type { CheckedNode } from './nodes.js';

/** Joins terms, taking in those of the same kind: `(a or b) or c` is one `or` of three. */
export function combine(kind: 'and' | 'or', terms: readonly CheckedNode[]): CheckedNode {
  const [only, second] = terms;
  if (only !== undefined && second === undefined) return only;
  const isFlat = terms.every((term) => term.kind !== kind);
  const flat = isFlat ? terms : terms.flatMap((term) => (term.kind === kind ? term.terms : [term]));
  return Object.freeze({ kind, terms: Object.freeze(flat) });
}

/** The complement; two negations cancel. */
export function negate(term: CheckedNode): CheckedNode {
  return term.kind === 'not' ? term.term : Object.freeze({ kind: 'not', term });
}
