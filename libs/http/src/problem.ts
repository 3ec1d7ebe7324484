import { HttpException } from '@nestjs/common';
import type { FastifyError } from 'fastify';
import { ApiError, type ErrorItem, PROBLEMS, type ProblemCode, RequestError, TransientError } from './errors.js';

/** The media type of every error response (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** A problem document (RFC 9457); some errors add members, such as `retryKey`. */
export interface Problem {
  /** `/problems/<code>`: the page that explains the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request id, as in `X-Request-Id`. */
  readonly instance: string;
  readonly code: ProblemCode;
  readonly errors?: readonly ErrorItem[];
  readonly [member: string]: unknown;
}

/** A complete error response: status, headers (lower-case names) and problem document. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
}

/**
 * The headers of every response; a page overrides the policy and the caching. `Strict-Transport-Security` means nothing
 * over plain HTTP (RFC 6797, 7.2), so it belongs where TLS ends.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const INTERNAL_DETAIL =
  'An unexpected error occurred and was logged. Try again; if it persists, report the request id.';

/** Returns the response to any error. An unexpected error becomes a 500 that reveals no internals. */
export function problemOf(error: unknown, requestId: string): ProblemResponse {
  const known = apiErrorOf(error);
  const code = known?.code ?? 'internal_error';
  const detail = known?.detail ?? INTERNAL_DETAIL;
  const { status, title } = PROBLEMS[code];
  const standard = { type: `/problems/${code}`, title, status, detail, instance: requestId, code };
  const errors = known !== undefined && known.items.length > 0 ? { errors: known.items } : {};
  return {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'content-type': PROBLEM_TYPE,
      'x-request-id': requestId,
      ...(known && statusHeaders(known)),
      ...known?.headers,
    },
    // The standard members come first, and no member of an error replaces them.
    body: { ...standard, ...known?.members, ...errors, ...standard },
  };
}

/** Whether an error is unexpected: a bug, to be logged with its stack. */
export function isInternalError(error: unknown): boolean {
  return apiErrorOf(error) === undefined;
}

/** The headers that the status requires (RFC 9110). */
function statusHeaders(error: ApiError): Record<string, string> {
  if (error instanceof TransientError) return { 'retry-after': '1' };
  return error.code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {};
}

const STATUS_ERRORS: Readonly<Record<number, ConstructorParameters<typeof RequestError>>> = {
  400: ['invalid_request', 'The request is malformed. Check the URL, the headers and the framing of the body.'],
  404: ['not_found', 'No route matches this URL. Check the path; a trailing slash makes it a different path.'],
  405: ['method_not_allowed', 'This URL does not support the method. The Allow header lists the supported methods.'],
  406: ['not_acceptable', 'Responses are JSON. Send "Accept: application/json" or omit the header.'],
  408: ['request_timeout', 'The request did not arrive in time. Send it again.'],
  413: ['payload_too_large', 'The body exceeds the size limit. Send a smaller body.'],
  414: ['uri_too_long', 'The URL exceeds the length limit. Shorten its parameters.'],
  415: ['unsupported_media_type', 'Send the body as "Content-Type: application/json", in UTF-8 and not compressed.'],
  431: ['header_too_large', 'The request headers exceed the size limit. Send fewer or shorter headers.'],
};

/** The codes of Fastify's own errors (https://fastify.dev/docs/latest/Reference/Errors/). */
const FASTIFY_CODE = /^FST_ERR_/;

/** Returns the error for a status that the framework chose; undefined for a status other than 4xx and 503. */
export function errorOfStatus(status: number): ApiError | undefined {
  if (status === 503) return new TransientError('service_unavailable', 'Try again shortly.');
  if (status < 400 || status >= 500) return undefined;
  const [code, detail] = STATUS_ERRORS[status] ?? STATUS_ERRORS[400] ?? [];
  return code && detail ? new RequestError(code, detail) : undefined;
}

/**
 * Returns the error as an ApiError, also one of Nest or Fastify. A `statusCode` property alone proves nothing: the
 * errors of HTTP clients (OpenSearch's, undici's) have one from an upstream's response.
 */
function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException) return errorOfStatus(error.getStatus());
  const { code = '', statusCode = 500 }: Partial<FastifyError> = error instanceof Error ? error : {};
  return errorOfStatus(FASTIFY_CODE.test(code) ? statusCode : 500);
}
