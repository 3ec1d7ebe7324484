import { deeplyFrozen } from '../frozen.js';
import { harmless } from './echo.js';

/** Every class of mistake; the codes are stable, the wording of `detail` and `hint` is not. */
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

/** The code of one class of mistake. */
export type CriteriaErrorCode = (typeof CRITERIA_ERROR_CODES)[number];

/** A stretch of the criteria text, in UTF-16 units; `position` = text length, `length` = 0 means "at the end". */
export interface Span {
  readonly position: number;
  readonly length: number;
}

/** What may help the client besides the sentence. */
export interface Advice {
  /** The name that was probably meant. */
  readonly suggestion?: string;
  /** What to write instead, in words. */
  readonly hint?: string;
  /** What could stand here: `field`, `value`, `and`, `)`. */
  readonly expected?: readonly string[];
  /** The type whose values the field takes. */
  readonly expectedType?: string;
  /** Names, values or operators that would be accepted. */
  readonly allowed?: readonly string[];
}

/** One mistake in a criteria text: what is wrong, where, and what to do about it. */
export interface CriteriaError extends Span, Advice {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
}

/** The same mistake as an item of a problem document's `errors`. */
export type CriteriaErrorItem = Omit<CriteriaError, 'code'> & { readonly field: 'criteria'; readonly code: string };

/** Makes an error; what the advice leaves out stays absent. Whatever a sentence quotes, nothing unsafe is in it. */
export function criteriaError(code: CriteriaErrorCode, span: Span, detail: string, advice: Advice = {}): CriteriaError {
  const { position, length } = span;
  const hint = advice.hint === undefined ? {} : { hint: harmless(advice.hint) };
  return deeplyFrozen({ code, detail: harmless(detail), position, length, ...advice, ...hint });
}

/** The error as the API shows it: names the parameter, its code in lower snake case. */
export function toErrorItem(error: CriteriaError): CriteriaErrorItem {
  return { field: 'criteria', ...error, code: error.code.toLowerCase() };
}
