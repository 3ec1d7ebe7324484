/** The rule of the grammar that a text breaks. */
export type SyntaxRule =
  /** A condition is due. It starts at the parenthesis that is open, or at -1. */
  | 'condition'
  /** An operator is due behind the name at the start. */
  | 'operator'
  /** A value is due. */
  | 'value'
  /** `and`, `or`, `not` and, where a value is due, `null` are no values. */
  | 'keyword'
  | 'escape'
  /** A quote is never closed. */
  | 'quote'
  /** `/…/` is no value. */
  | 'regularExpression'
  /** A date and its time are written without a blank. */
  | 'date'
  /** `%` is no wildcard. */
  | 'pattern'
  /** A range has a bound. */
  | 'bound'
  | 'intervalSeparator'
  | 'intervalEnd'
  /** `between` joins its bounds by `and`. */
  | 'between'
  /** A list begins with a parenthesis. */
  | 'list'
  | 'emptyList'
  | 'listEnd'
  | 'emptyGroup'
  | 'groupEnd'
  | 'emptyParentheses'
  | 'parentheses'
  /** Terms side by side do not stand beside an `or`. */
  | 'mixedOr'
  | 'length'
  | 'depth'
  | 'clauses';

/** Where a text stops being criteria. */
export class SyntaxFailure extends Error {
  /**
   * @param rule the rule that the text breaks
   * @param start where the piece begins that breaks it
   * @param at where the parser stops
   */
  constructor(
    readonly rule: SyntaxRule,
    readonly start: number,
    readonly at: number,
  ) {
    super(rule);
  }
}
