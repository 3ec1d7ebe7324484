import type { CriteriaField } from '../fields.js';

/** A value in the query. Dates are milliseconds since 1970, UTC. */
export type Scalar = string | number | boolean;

/** Bounds of a range; at least one is present. */
export interface Bounds {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

/** One condition whose field is known and whose values have the field's type. */
export type CheckedPredicate =
  /** The whole value equals this one. */
  | { readonly kind: 'equal'; readonly field: CriteriaField; readonly value: Scalar }
  /** These words are adjacent in the text, in this order. */
  | { readonly kind: 'words'; readonly field: CriteriaField; readonly words: string }
  /**
   * The whole value, or some word of the text, matches: `*` is any characters, `?` one, and `\` escapes one of `\ * ?`.
   * Words are folded as the index folds them; whole values are folded by the index.
   */
  | { readonly kind: 'pattern'; readonly field: CriteriaField; readonly on: 'whole' | 'word'; readonly pattern: string }
  | { readonly kind: 'range'; readonly field: CriteriaField; readonly bounds: Bounds }
  | { readonly kind: 'exists'; readonly field: CriteriaField };

/**
 * The typed tree: the spellings of an operator or a value give the same node; nothing is simplified, so `rating:[3 TO
 * 3]` and `rating = 3` differ. Neither `and` nor `or` contains a term of its own kind, and no `not` directly contains
 * another.
 */
export type CheckedNode =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly CheckedNode[] }
  | { readonly kind: 'not'; readonly term: CheckedNode }
  | CheckedPredicate;

/** Joins terms and flattens those of the same kind: `(a or b) or c` is one `or` of three. */
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

/** Returns the complement; two negations cancel. */
export function negate(term: CheckedNode): CheckedNode {
  return term.kind === 'not' ? term.term : { kind: 'not', term };
}
