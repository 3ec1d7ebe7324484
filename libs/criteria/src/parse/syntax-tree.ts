import type { ValueOperator } from '../operators.js';

/** A range of the criteria text, in UTF-16 code units; `position` = text length, `length` = 0 means "at the end". */
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
   * The value with its wildcards: `*` and `?` match other characters, a backslash escapes one of `\ * ?`. Undefined
   * without a wildcard.
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
  /** Whether the lower bound is excluded. */
  readonly aboveLow: boolean;
  /** Whether the upper bound is excluded. */
  readonly belowHigh: boolean;
}

/** The operand of one equality or one list entry; `any` is the bare `*`, `null` the absence of a value. */
export type OperandNode = ValueNode | { readonly kind: 'any' } | { readonly kind: 'null' } | RangeNode;

/** Operands within the parentheses of `field:(a or b)`; the field and its operator apply to each of them. */
export type GroupNode =
  | OperandNode
  | { readonly kind: 'and' | 'or'; readonly parts: readonly GroupNode[] }
  | { readonly kind: 'not'; readonly part: GroupNode };

/** How an equality compares a text field: words (`:`), or its whole value (`=`). Other types have no difference. */
export type EqualityForm = 'words' | 'whole';

/** The common part of all predicates. The span begins with the field and ends with the operand. */
export interface PredicateHead extends Span {
  /** The field as the client wrote it. */
  readonly field: string;
  readonly operatorAt: number;
  /** The start of the operand, or where it would start. */
  readonly operandAt: number;
}

/** One condition on one field; negated spellings (`!=`, `not in`) are inside a `not`. */
export type PredicateNode = PredicateHead &
  (
    | { readonly kind: 'equals'; readonly form: EqualityForm; readonly operand: OperandNode }
    | { readonly kind: 'group'; readonly form: EqualityForm; readonly group: GroupNode }
    | { readonly kind: 'in'; readonly operands: readonly OperandNode[] }
    | { readonly kind: 'value'; readonly operator: ValueOperator; readonly operand: ValueNode }
    | { readonly kind: 'exists' }
  );

/** The syntax tree: structure and spans, without fields and types. */
export type CriteriaNode =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly CriteriaNode[] }
  | { readonly kind: 'not'; readonly term: CriteriaNode }
  | PredicateNode;
