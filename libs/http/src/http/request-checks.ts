import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type ApiError, RequestError } from '../api-error.js';
import { errorOfStatus } from '../framework-error.js';
import { acceptsJson } from './accepts-json.js';
import type { HttpLimits } from './http-limits.js';

/** What a host cannot hold (RFC 3986, 3.2.2), and what would make an address of it that says something else. */
const NO_HOST = /[\s/\\?#@<>"{}|^`,]/;

/** Whoever wrote this may mean something else by what comes next on the connection, or be two that share it. */
const CLOSE = { headers: { connection: 'close' } } as const;

/**
 * What node lets pass but HTTP or our limits do not: an over-long address, and a Host that is missing, repeated or none
 * (RFC 9112, 3.2).
 */
export function checkHead(request: IncomingMessage, limits: Pick<HttpLimits, 'urlBytes'>): ApiError | undefined {
  if ((request.url?.length ?? 0) > limits.urlBytes) return errorOfStatus(414);
  const hosts = countHosts(request.rawHeaders);
  const once = hosts === 1 || (hosts === 0 && request.httpVersion === '1.0');
  return once && !NO_HOST.test(request.headers.host ?? '')
    ? undefined
    : new RequestError('invalid_request', 'Send exactly one Host header.', CLOSE);
}

/** The routes that answer in JSON alone. Probes, pages and metrics are given to whoever asks for them. */
const API = /^\/v\d+\//;

/** Whether the answers of a route are such as the client takes: 406 before anything is done for one that is not. */
export function checkAccept(route: string | undefined, { accept }: IncomingHttpHeaders): ApiError | undefined {
  return acceptsJson(accept) || route === undefined || !API.test(route) ? undefined : errorOfStatus(406);
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** JSON is UTF-8 and arrives uncompressed (no decompression, no bombs). Throws `unsupported_media_type`. */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new RequestError('unsupported_media_type', 'JSON is UTF-8. Leave the charset out, or say utf-8.');
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new RequestError('unsupported_media_type', 'Send the body without Content-Encoding; it is not decompressed.');
  }
}
