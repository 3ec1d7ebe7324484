import { HttpException } from '@nestjs/common';
import { type ApiError, RequestError, TransientError } from './api-error.js';
import type { RequestErrorCode } from './problem-codes.js';

type Sentence = readonly [code: RequestErrorCode, detail: string];

const MALFORMED: Sentence = [
  'invalid_request',
  'The request is malformed. Check its URL, its headers and its framing.',
];

/** What a client is told for each status that a framework, not our code, decides on. */
const SENTENCES: Readonly<Record<number, Sentence>> = {
  404: ['not_found', 'Nothing is served at this URL. Check the path; a trailing slash is another path.'],
  405: ['method_not_allowed', 'This URL does not serve that method. The Allow header lists those it does.'],
  406: ['not_acceptable', 'Every answer here is JSON. Send "Accept: application/json", or leave the header out.'],
  408: ['request_timeout', 'The request did not arrive in time. Send it again, without pauses.'],
  413: ['payload_too_large', 'The body is larger than is accepted here. Send a smaller one.'],
  414: ['uri_too_long', 'The URL is longer than is accepted. Shorten its parameters.'],
  415: ['unsupported_media_type', 'Send the body as "Content-Type: application/json", in UTF-8 and not compressed.'],
  431: ['header_too_large', 'The head of the request is larger than is accepted. Send fewer or shorter headers.'],
};

/** The statuses of Fastify's own errors, by its code (https://fastify.dev/docs/latest/Reference/Errors/). */
const FASTIFY_STATUS: Readonly<Record<string, number>> = {
  FST_ERR_BAD_URL: 400,
  FST_ERR_VALIDATION: 400,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 400,
  FST_ERR_NOT_FOUND: 404,
  FST_ERR_CTP_BODY_TOO_LARGE: 413,
  FST_ERR_MAX_PARAM_LENGTH: 414,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 415,
  FST_ERR_CTP_EMPTY_TYPE: 415,
  FST_ERR_CTP_INVALID_TYPE: 415,
};

/** The fault that stands for a status a framework chose; undefined for those that are no client's fault. */
export function errorOfStatus(status: number): ApiError | undefined {
  if (status === 503) return new TransientError('service_unavailable', 'Try again shortly.');
  if (status < 400 || status >= 500) return undefined;
  const [code, detail] = SENTENCES[status] ?? MALFORMED;
  return new RequestError(code, detail);
}

/**
 * The fault behind an error of Nest or Fastify; undefined for any other error. A bare `statusCode` property proves
 * nothing: the errors of HTTP clients (OpenSearch's, undici's) have one that speaks of somebody else's answer.
 */
export function errorOfFramework(error: unknown): ApiError | undefined {
  if (error instanceof HttpException) return errorOfStatus(error.getStatus());
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = FASTIFY_STATUS[code];
  return status === undefined ? undefined : errorOfStatus(status);
}
