import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendNotModified } from './replies.js';

/** A response that is sent many times. */
export interface CachedResponse {
  /** When its content was requested, by `performance.now()`, in ms: its age counts from then. */
  readonly requestedAt: number;
  /** The approximate memory that it takes. */
  readonly bytes: number;
}

/** A response of 200 in its final form: bytes of JSON and headers. */
export interface JsonResponse extends CachedResponse {
  readonly body: Buffer;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The entity tag, with quotes. Strong: the same tag means the same bytes and headers. */
  readonly etag: string;
}

const TAG_LENGTH = 22;

/** @param requestedAt when the content was requested, by `performance.now()` */
export function jsonResponse(requestedAt: number, body: Buffer, headers: JsonResponse['headers'] = {}): JsonResponse {
  const head = JSON.stringify(headers);
  // The length separates the headers from the body.
  const digest = createHash('sha256').update(`${head.length} ${head}`).update(body).digest('base64url');
  const etag = `"${digest.slice(0, TAG_LENGTH)}"`;
  return { requestedAt, body, headers, etag, bytes: body.length + 2 * head.length };
}

/**
 * Returns whether an `If-None-Match` header (RFC 9110, 13.1.2) is `*` or lists an entity tag, weak or strong. Our tags
 * contain no quote and no comma, so their text is in the header only if the tag is.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag));
}

/** As long as our own caches keep a response; private caches only. */
const CACHE_CONTROL = 'private, max-age=1';

/** Sends a response, or 304 (RFC 9110, 15.4.5) to a client that has it already. */
export function sendCached(request: FastifyRequest, reply: FastifyReply, response: JsonResponse): void {
  const { requestedAt, body, headers, etag } = response;
  // In whole seconds (RFC 9111, 5.1): the time in our caches counts for the client's.
  const age = Math.round((performance.now() - requestedAt) / 1_000);
  if (age > 0) void reply.header('age', String(age));
  void reply.header('cache-control', CACHE_CONTROL).header('etag', etag);
  if (matchesEtag(request.headers['if-none-match'], etag)) sendNotModified(reply);
  else void reply.type('application/json; charset=utf-8').headers(headers).send(body);
}

/**
 * The header by which an app tells the gateway that it had cached a response, and its exact age in whole milliseconds, rounded
 * up: `Age` has seconds. It is not for clients.
 */
export const CACHED_AGE = 'x-cached-age-ms';

/** Sets {@link CACHED_AGE}. */
export function setCachedAge(reply: FastifyReply, { requestedAt }: CachedResponse): void {
  void reply.header(CACHED_AGE, String(Math.ceil(performance.now() - requestedAt)));
}
