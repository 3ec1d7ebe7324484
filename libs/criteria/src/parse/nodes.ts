import type { Span } from '../errors/criteria-error.js';

/** A field as the client wrote it. */
export interface NameNode extends Span {
  readonly text: string;
}

/** One literal. Its type comes from the field, never from its spelling. */
export interface ValueNode extends Span {
  readonly kind: 'scalar';
  /** Escapes resolved, quotes removed. */
  readonly text: string;
  readonly quoted: boolean;
  /**
   * The value with its wildcards: `*` and `?` stand for other characters, a backslash makes one of `\ * ?` stand for
   * itself. Undefined when there is no wildcard.
   */
  readonly pattern: string | undefined;
}

/** How a range was written: `a..b`, `[a TO b}`, or `between a and b`. */
export type RangeForm = 'dots' | 'interval' | 'between';

/** Values between two bounds; a side without a bound is undefined. */
export interface RangeNode extends Span {
  readonly kind: 'range';
  readonly form: RangeForm;
  readonly low: ValueNode | undefined;
  readonly high: ValueNode | undefined;
  /** The lower bound itself lies outside. */
  readonly aboveLow: boolean;
  /** The upper bound itself lies outside. */
  readonly belowHigh: boolean;
}

/** What one equality or one list entry asks for; `any` is the bare `*`, `null` the lack of a value. */
export type OperandNode = ValueNode | { readonly kind: 'any' } | { readonly kind: 'null' } | RangeNode;

/** Operands within the parentheses of `field:(a or b)`; the field and its operator apply to each of them. */
export type GroupNode =
  | OperandNode
  | { readonly kind: 'and' | 'or'; readonly parts: readonly GroupNode[] }
  | { readonly kind: 'not'; readonly part: GroupNode };

/** The four comparisons by size. */
export type Relation = 'gt' | 'gte' | 'lt' | 'lte';

/** How an equality reads a text field: words within it (`:`), or its whole value (`=`). Elsewhere both are the same. */
export type EqualityForm = 'words' | 'whole';

/**
 * What every predicate has, whatever its operator. Name and operator are no nodes of their own, since to make one costs
 * as much as to read it. `nameOf` and `operatorSpan` tell their places.
 */
export interface PredicateHead extends Span {
  /** The field as the client wrote it; the predicate begins with it. */
  readonly field: string;
  /** The operator as written. */
  readonly operator: string;
  readonly operatorAt: number;
  /** Where the operand begins, or would begin. */
  readonly operandAt: number;
}

/** One condition on one field; negated spellings (`!=`, `not in`) stand inside a `not`. */
export type PredicateNode = PredicateHead &
  (
    | { readonly kind: 'equals'; readonly form: EqualityForm; readonly operand: OperandNode }
    | { readonly kind: 'group'; readonly form: EqualityForm; readonly group: GroupNode }
    | { readonly kind: 'like'; readonly operand: ValueNode }
    | { readonly kind: 'in'; readonly operands: readonly OperandNode[] }
    | { readonly kind: 'compare'; readonly relation: Relation; readonly operand: ValueNode }
    | { readonly kind: 'exists' }
  );

/** The syntax tree: structure and spans, nothing known yet about fields and types. */
export type CriteriaNode =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly CriteriaNode[] }
  | { readonly kind: 'not'; readonly term: CriteriaNode }
  | PredicateNode;
