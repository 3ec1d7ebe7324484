import type { ValueOperator } from '../operators.js';

/** A stretch of the criteria text, in UTF-16 units; `position` = text length, `length` = 0 means "at the end". */
export interface Span {
  readonly position: number;
  readonly length: number;
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

/** Values between two bounds; a side without a bound is undefined. */
export interface RangeNode extends Span {
  readonly kind: 'range';
  /** `a..b`, `[a TO b}`, or `between a and b`. */
  readonly form: 'dots' | 'interval' | 'between';
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

/** How an equality reads a text field: words within it (`:`), or its whole value (`=`). Elsewhere both are the same. */
export type EqualityForm = 'words' | 'whole';

/** The part that all predicates share. The span begins with the field and ends with the operand. */
export interface PredicateHead extends Span {
  /** The field as the client wrote it. */
  readonly field: string;
  readonly operatorAt: number;
  /** Where the operand begins, or would begin. */
  readonly operandAt: number;
}

/** One condition on one field; negated spellings (`!=`, `not in`) stand inside a `not`. */
export type PredicateNode = PredicateHead &
  (
    | { readonly kind: 'equals'; readonly form: EqualityForm; readonly operand: OperandNode }
    | { readonly kind: 'group'; readonly form: EqualityForm; readonly group: GroupNode }
    | { readonly kind: 'in'; readonly operands: readonly OperandNode[] }
    | { readonly kind: 'value'; readonly operator: ValueOperator; readonly operand: ValueNode }
    | { readonly kind: 'exists' }
  );

/** The syntax tree: structure and spans, nothing known yet about fields and types. */
export type CriteriaNode =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly CriteriaNode[] }
  | { readonly kind: 'not'; readonly term: CriteriaNode }
  | PredicateNode;
