// Made by `npm run generate` from libs/http/src/errors.ts.
import { type ErrorFacts, ProblemError } from '../errors.js';

/** 400 `invalid_request`: Invalid request. */
export class InvalidRequestError extends ProblemError<'invalid_request'> {
  override readonly name = 'InvalidRequestError';
}

/** 400 `invalid_json`: The body is not valid JSON. */
export class InvalidJsonError extends ProblemError<'invalid_json'> {
  override readonly name = 'InvalidJsonError';
}

/** 400 `invalid_criteria`: Invalid criteria. */
export class InvalidCriteriaError extends ProblemError<'invalid_criteria'> {
  override readonly name = 'InvalidCriteriaError';
}

/** 400 `invalid_cursor`: Invalid cursor. */
export class InvalidCursorError extends ProblemError<'invalid_cursor'> {
  override readonly name = 'InvalidCursorError';
}

/** 401 `unauthorized`: Missing or invalid API key. */
export class UnauthorizedError extends ProblemError<'unauthorized'> {
  override readonly name = 'UnauthorizedError';
}

/** 403 `forbidden`: The API key lacks the required scope. */
export class ForbiddenError extends ProblemError<'forbidden'> {
  override readonly name = 'ForbiddenError';
}

/** 404 `not_found`: Not found. */
export class NotFoundError extends ProblemError<'not_found'> {
  override readonly name = 'NotFoundError';
}

/** 405 `method_not_allowed`: Method not allowed. */
export class MethodNotAllowedError extends ProblemError<'method_not_allowed'> {
  override readonly name = 'MethodNotAllowedError';
}

/** 406 `not_acceptable`: Not acceptable. */
export class NotAcceptableError extends ProblemError<'not_acceptable'> {
  override readonly name = 'NotAcceptableError';
}

/** 408 `request_timeout`: Request timeout. */
export class RequestTimeoutError extends ProblemError<'request_timeout'> {
  override readonly name = 'RequestTimeoutError';
}

/** 409 `insufficient_supply`: Not enough credits are available. */
export class InsufficientSupplyError extends ProblemError<'insufficient_supply'> {
  override readonly name = 'InsufficientSupplyError';
}

/** 413 `payload_too_large`: Request body too large. */
export class PayloadTooLargeError extends ProblemError<'payload_too_large'> {
  override readonly name = 'PayloadTooLargeError';
}

/** 414 `uri_too_long`: URL too long. */
export class UriTooLongError extends ProblemError<'uri_too_long'> {
  override readonly name = 'UriTooLongError';
}

/** 415 `unsupported_media_type`: The body must be JSON. */
export class UnsupportedMediaTypeError extends ProblemError<'unsupported_media_type'> {
  override readonly name = 'UnsupportedMediaTypeError';
}

/** 422 `idempotency_key_reused`: Idempotency key reused with a different request. */
export class IdempotencyKeyReusedError extends ProblemError<'idempotency_key_reused'> {
  override readonly name = 'IdempotencyKeyReusedError';
}

/** 429 `rate_limited`: Too many requests. */
export class RateLimitedError extends ProblemError<'rate_limited'> {
  override readonly name = 'RateLimitedError';
}

/** 431 `header_too_large`: Request headers too large. */
export class HeaderTooLargeError extends ProblemError<'header_too_large'> {
  override readonly name = 'HeaderTooLargeError';
}

/** 500 `internal_error`: Internal server error. */
export class InternalError extends ProblemError<'internal_error'> {
  override readonly name = 'InternalError';
}

/** 503 `service_unavailable`: Service temporarily unavailable. */
export class ServiceUnavailableError extends ProblemError<'service_unavailable'> {
  override readonly name = 'ServiceUnavailableError';
}

/** 503 `not_accepted`: The offset was not accepted. */
export class NotAcceptedError extends ProblemError<'not_accepted'> {
  override readonly name = 'NotAcceptedError';
}

/** 503 `outcome_unknown`: It is unknown whether the offset was accepted. */
export class OutcomeUnknownError extends ProblemError<'outcome_unknown'> {
  override readonly name = 'OutcomeUnknownError';
}

/** The class of each code. */
export const PROBLEM_CLASSES = {
  invalid_request: InvalidRequestError,
  invalid_json: InvalidJsonError,
  invalid_criteria: InvalidCriteriaError,
  invalid_cursor: InvalidCursorError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  not_acceptable: NotAcceptableError,
  request_timeout: RequestTimeoutError,
  insufficient_supply: InsufficientSupplyError,
  payload_too_large: PayloadTooLargeError,
  uri_too_long: UriTooLongError,
  unsupported_media_type: UnsupportedMediaTypeError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  rate_limited: RateLimitedError,
  header_too_large: HeaderTooLargeError,
  internal_error: InternalError,
  service_unavailable: ServiceUnavailableError,
  not_accepted: NotAcceptedError,
  outcome_unknown: OutcomeUnknownError,
} as const;

/** A code that the service gives a problem. */
export type ProblemCode = keyof typeof PROBLEM_CLASSES;

/** Any problem whose code this client knows; `switch (error.code)` tells them apart. */
export type KnownProblem = InstanceType<(typeof PROBLEM_CLASSES)[ProblemCode]>;

/** The error of a code: of its class, or of the general one when the code is newer than this client. */
export function problemOf(code: string, detail: string, facts: ErrorFacts): ProblemError {
  if (!isKnown(code)) return new ProblemError(code, detail, facts);
  const OfCode = PROBLEM_CLASSES[code] as new (code: ProblemCode, detail: string, facts: ErrorFacts) => ProblemError;
  return new OfCode(code, detail, facts);
}

function isKnown(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEM_CLASSES, code);
}
