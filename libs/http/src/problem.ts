import { ApiError, type ErrorItem, TransientError } from './api-error.js';
import { errorOfFramework } from './framework-error.js';
import { SECURITY_HEADERS } from './http/security-headers.js';
import { PROBLEMS, type ProblemCode } from './problem-codes.js';

/** The media type of every answer that is not a success (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** A problem document (RFC 9457); some faults add members of their own, such as `retryKey`. */
export interface Problem {
  /** `/problems/<code>`: the page that explains it. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What to do about it. */
  readonly detail: string;
  /** The request id, as in `X-Request-Id`. */
  readonly instance: string;
  readonly code: ProblemCode;
  readonly errors?: readonly ErrorItem[];
  readonly [member: string]: unknown;
}

/** A whole answer: status, headers (lower-case names) and problem document. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
}

const BUG_DETAIL = 'The mistake is ours and has been noted. Try again; if it stays, report the request id.';

/** The answer to any error. A bug becomes a 500 that holds nothing of the inside. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  const fault = error instanceof ApiError ? error : errorOfFramework(error);
  return fault ? answerTo(fault, requestId) : bugAnswer(requestId);
}

/** Whether an error is a bug of ours, to be logged with its stack. */
export function isBug(error: unknown): boolean {
  return !(error instanceof ApiError) && errorOfFramework(error) === undefined;
}

function answerTo(fault: ApiError, requestId: string): ProblemAnswer {
  const own = ownMembers(fault.code, fault.detail, requestId);
  const errors = fault.items.length > 0 ? { errors: fault.items } : {};
  return {
    status: own.status,
    headers: { ...commonHeaders(requestId), ...headersOf(fault), ...fault.headers },
    // Our own members come first, and win over a fault's.
    body: { ...own, ...fault.members, ...errors, ...own },
  };
}

function bugAnswer(requestId: string): ProblemAnswer {
  const body = ownMembers('internal_error', BUG_DETAIL, requestId);
  return { status: body.status, headers: commonHeaders(requestId), body };
}

function ownMembers(code: ProblemCode, detail: string, instance: string): Problem {
  const { status, title } = PROBLEMS[code];
  return { type: `/problems/${code}`, title, status, detail, instance, code };
}

function commonHeaders(requestId: string): Record<string, string> {
  return { ...SECURITY_HEADERS, 'content-type': PROBLEM_TYPE, 'x-request-id': requestId };
}

/** The headers that the status itself asks for (RFC 9110). */
function headersOf(fault: ApiError): Record<string, string> {
  if (fault instanceof TransientError) return { 'retry-after': String(fault.retryAfterSeconds) };
  if (fault.code === 'unauthorized') return { 'www-authenticate': 'Bearer' };
  return {};
}
