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

/** A change of criteria: `text` in place of `length` UTF-16 code units from `position`. */
export interface Rewrite extends Span {
  readonly text: string;
}

/** A hint that proposes criteria. */
export interface Proposal {
  /** The hint in words, with what it proposes. */
  readonly hint: string;
  readonly replacement: string;
  /** What it replaces: the marked piece, the condition around it, or the whole text. */
  readonly of: 'piece' | 'condition' | 'text';
  /** What it replaces exactly, where that is known. */
  readonly range?: Span;
  /** The part of the hint that remains where the proposal does not fit. */
  readonly otherwise?: string;
  /** The hint lists what may be meant, or has a placeholder: nothing may be rewritten. */
  readonly isShownOnly?: boolean;
}

/** What to do about an error: prose, or a proposal. */
export type Hint = string | Proposal;

/** The parts of an error that help to fix it. */
interface Help {
  /** The intended name. */
  readonly suggestion?: string;
  /** The tokens that are allowed here: `field`, `value`, `and`, `)`. */
  readonly expected?: readonly string[];
  /** The type of the values of the field. */
  readonly expectedType?: string;
  /** Names, values or operators that would be accepted. */
  readonly allowed?: readonly string[];
}

/** The help of an explanation. */
export interface HelpWithHint extends Help {
  readonly hint?: Hint | undefined;
}

/** An error whose proposals are not judged yet. */
export interface Explanation extends Span, Help {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
  /** The first one that fits counts. */
  readonly hints: readonly Hint[];
}

/** One error in a criteria text: what is wrong, where, and what to do about it. */
export interface CriteriaError extends Span, Help {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
  /** The fix, in words. */
  readonly hint?: string;
  /** The fix, if it may be taken as it is: it leaves no error in its place. */
  readonly rewrite?: Rewrite;
}

/** The same error as an item of a problem document's `errors`. */
export type CriteriaErrorItem = Omit<CriteriaError, 'code'> & { readonly field: 'criteria'; readonly code: string };

/** Returns what is wrong, with its help; without a hint, `hints` is empty. */
export function explanation(
  code: CriteriaErrorCode,
  { position, length }: Span,
  detail: string,
  { hint, ...help }: HelpWithHint = {},
): Explanation {
  return { code, detail, position, length, ...help, hints: hint === undefined ? [] : [hint] };
}

/** Returns an error with at most one hint and one rewrite. Unsafe characters in quoted text are replaced. */
export function criteriaError(
  { hints: _, detail, ...explained }: Explanation,
  hint?: string,
  rewrite?: Rewrite,
): CriteriaError {
  return {
    ...explained,
    detail: safeText(detail),
    ...(hint !== undefined && { hint: safeText(hint) }),
    ...(rewrite !== undefined && { rewrite }),
  };
}

/** Returns the error as the API shows it: with the parameter's name, its code in lower snake case. */
export function toErrorItem(error: CriteriaError): CriteriaErrorItem {
  return { field: 'criteria', ...error, code: error.code.toLowerCase() };
}
