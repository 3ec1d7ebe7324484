/** The rule of the grammar that a text breaks. */
export type SyntaxRule =
  /** A condition is expected. `start` is the enclosing open parenthesis, or -1. */
  | 'condition'
  /** An operator is expected after the name at the start. */
  | 'operator'
  /** A value is expected. */
  | 'value'
  /** `and`, `or`, `not` and, in the place of a value, `null` are not values. */
  | 'keyword'
  | 'escape'
  /** A quote is never closed. */
  | 'quote'
  /** `/…/` is not a value. */
  | 'regularExpression'
  /** A date and its time are written without white space. */
  | 'date'
  /** `%` is not a wildcard. */
  | 'pattern'
  /** A range needs a bound. */
  | 'bound'
  | 'intervalSeparator'
  | 'intervalEnd'
  /** `between` joins its bounds by `and`. */
  | 'between'
  /** A list begins with `(` or `[`. */
  | 'list'
  | 'emptyList'
  | 'listEnd'
  | 'emptyGroup'
  | 'groupEnd'
  | 'emptyParentheses'
  | 'parentheses'
  /** Adjacent terms may not be next to an `or`. */
  | 'mixedOr'
  | 'length'
  | 'depth'
  | 'clauses';

/** The position and the rule at which a text is no longer valid. */
export class SyntaxFailure extends Error {
  /**
   * @param rule the rule that the text breaks
   * @param start the start of the piece that breaks it
   * @param at the position of the parser
   */
  constructor(
    readonly rule: SyntaxRule,
    readonly start: number,
    readonly at: number,
  ) {
    super(rule);
  }
}
