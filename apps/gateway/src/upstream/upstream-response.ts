import { sendNotModified } from '@carbon/http';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

/** What another app responded: the bytes as they came, and all headers. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A response that is not one of our apps': a proxy's page, another program on the port, a truncated body. */
export class UntrustedResponse extends Error {
  override readonly name = 'UntrustedResponse';
}

/** The headers that describe a response; no other header is forwarded. */
const FORWARDED_HEADERS = [
  'content-type',
  'link',
  'x-total-count',
  'x-search-hints',
  'etag',
  'retry-after',
  'cache-control',
  'age',
] as const;
const CLOSING_BRACKETS = { '[': ']', '{': '}' } as const;

const notFoundProblem = z.object({ code: z.literal('not_found') });

/** The expected response of a call. */
interface ExpectedResponse {
  /** The status of a success. */
  readonly success: 200 | 201;
  /** Whether the call had an `If-None-Match`. */
  readonly isConditional: boolean;
}

/**
 * Returns a response that our apps send to clients: the expected success with JSON, an error with a problem document, or an
 * empty 304 to a conditional call. The body is forwarded byte for byte, so only its first and last byte are checked.
 * @throws UntrustedResponse
 */
export function requireTrusted(
  response: UpstreamResponse,
  { success, isConditional }: ExpectedResponse,
): UpstreamResponse {
  const { status, headers, body } = response;
  if (isConditional && status === 304 && headers.etag !== undefined && body.length === 0) return response;
  // A client would relate this 401 to its own key.
  if (response.status === 401) throw new UntrustedResponse('rejects our secret: INTERNAL_SECRETS do not match');
  if (status !== success && (status < 400 || status > 599)) throw new UntrustedResponse(`responded ${status}`);
  const type = String(headers['content-type'] ?? '').split(';', 1)[0];
  const expectedType = status === success ? 'application/json' : 'application/problem+json';
  if (type?.trim().toLowerCase() !== expectedType) throw new UntrustedResponse(`responded ${status} as ${type}`);
  if (!isComplete(response.body)) throw new UntrustedResponse(`responded ${status} with a body that is not JSON`);
  return response;
}

function isComplete(body: Buffer): boolean {
  const first = body.toString('latin1', 0, 1);
  const last = body.toString('latin1', body.length - 1);
  return (first === '[' || first === '{') && last === CLOSING_BRACKETS[first];
}

/** Forwards a response to the client: status, body byte for byte, and the headers that describe it. */
export function forwardResponse(reply: FastifyReply, { status, headers, body }: UpstreamResponse): void {
  void reply.code(status);
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
  if (status === 304) sendNotModified(reply);
  else void reply.send(body);
}

/** Returns a body as JSON, or undefined when it is not JSON. */
export function jsonOf({ body }: Pick<UpstreamResponse, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns whether the app itself responded that it has no such row. Any other 404, such as a proxy's, proves nothing. */
export function isNotFound(response: UpstreamResponse): boolean {
  return response.status === 404 && notFoundProblem.safeParse(jsonOf(response)).success;
}

/** Returns a response with this JSON text, made by the gateway itself. */
export function localResponse(json: string): UpstreamResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body: Buffer.from(json) };
}
