import { deeplyFrozen } from '../freeze.js';
import type { Span } from '../parse/syntax-tree.js';
import { safeText } from './snippet.js';

/** Every class of error; the codes are stable, the wording of `detail` and `hint` is not. */
export const CRITERIA_ERROR_CODES = [
  'UNEXPECTED_CHARACTER',
  'UNTERMINATED_STRING',
  'INVALID_ESCAPE',
  'UNEXPECTED_END',
  'UNEXPECTED_TOKEN',
  'UNBALANCED_PAREN',
  'EMPTY_GROUP',
  'MISSING_OPERATOR',
  'MISSING_VALUE',
  'RESERVED_WORD',
  'AMBIGUOUS_OR',
  'UNSUPPORTED_SYNTAX',
  'UNKNOWN_FIELD',
  'OPERATOR_NOT_ALLOWED',
  'INVALID_VALUE',
  'PATTERN_NOT_ALLOWED',
  'PATTERN_TOO_BROAD',
  'EMPTY_RANGE',
  'TOO_LONG',
  'TOO_DEEP',
  'TOO_MANY_CLAUSES',
  'TOO_MANY_PATTERNS',
  'VALUE_TOO_LONG',
] as const;

/** The code of one class of error. */
export type CriteriaErrorCode = (typeof CRITERIA_ERROR_CODES)[number];

/** The help that goes with the sentence. */
export interface Hint {
  /** The intended name. */
  readonly suggestion?: string;
  /** The fix, in words. */
  readonly hint?: string | undefined;
  /** The tokens that are allowed here: `field`, `value`, `and`, `)`. */
  readonly expected?: readonly string[];
  /** The type of the values of the field. */
  readonly expectedType?: string;
  /** Names, values or operators that would be accepted. */
  readonly allowed?: readonly string[];
}

/** One error in a criteria text: what is wrong, where, and what to do about it. */
export interface CriteriaError extends Span, Hint {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
}

/** The same error as an item of a problem document's `errors`. */
export type CriteriaErrorItem = Omit<CriteriaError, 'code'> & { readonly field: 'criteria'; readonly code: string };

/** Returns an error; absent hints stay absent. Unsafe characters in quoted text are replaced. */
export function criteriaError(
  code: CriteriaErrorCode,
  { position, length }: Span,
  detail: string,
  { hint, ...advice }: Hint = {},
): CriteriaError {
  const safeHint = hint === undefined ? {} : { hint: safeText(hint) };
  return deeplyFrozen({ code, detail: safeText(detail), position, length, ...advice, ...safeHint });
}

/** Returns the error as the API shows it: with the parameter's name, its code in lower snake case. */
export function toErrorItem(error: CriteriaError): CriteriaErrorItem {
  return { field: 'criteria', ...error, code: error.code.toLowerCase() };
}
