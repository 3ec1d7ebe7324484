import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { accountSchema } from '@carbon/contracts';
import Negotiator from 'negotiator';
import { type ApiError, invalidRequest, RequestError } from './errors.js';
import { errorOfStatus } from './problem.js';

type RawHeaders = Pick<IncomingMessage, 'rawHeaders'>;

/** What a client may choose as a request id: no character could forge a log line. */
const REQUEST_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Returns the caller's `X-Request-Id` if it is acceptable, else a new id. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}

/**
 * Returns a header that may occur at most once. Node keeps the first of some repeated headers and joins others with
 * commas, so this reads the raw headers.
 * @throws RequestError `invalid_request` with `duplicate_header`
 */
export function singleHeader(request: RawHeaders, name: string): string | undefined {
  const values = headerValues(request, name);
  if (values.length <= 1) return values[0];
  throw invalidRequest([{ field: name, code: 'duplicate_header', detail: 'is repeated; send it once' }]);
}

/** Returns each value of a header as it was sent. */
export function headerValues({ rawHeaders }: RawHeaders, name: string): string[] {
  const expected = name.toLowerCase();
  return rawHeaders.filter((_, at) => {
    const header = at % 2 === 1 ? rawHeaders[at - 1] : undefined;
    return header?.length === expected.length && header.toLowerCase() === expected;
  });
}

/**
 * Returns the account in the one `X-Account` header of a request to an app behind the gateway. There is no default, so
 * that a caller that forgets the header sees no other account. `ServiceAuthenticator` admits only the gateway.
 * @throws RequestError `invalid_request` with `invalid_header` or `duplicate_header`
 */
export function accountOf(request: RawHeaders): string {
  const account = accountSchema.safeParse(singleHeader(request, 'x-account'));
  if (account.success) return account.data;
  const detail = 'must be the account of the caller; only the gateway calls this service, and sets the header';
  throw invalidRequest([{ field: 'x-account', code: 'invalid_header', detail }]);
}

/** Characters that a host cannot hold (RFC 3986, 3.2.2) or that would change the meaning of a URL made from it. */
const INVALID_HOST = /[\s/\\?#@<>"{}|^`,]/;

/**
 * Returns the error of a request that Node admits but HTTP or our limits do not: a URL that is too long, and a Host that
 * is missing, repeated or invalid (RFC 9112, 3.2). The connection closes, because two senders may share it.
 */
export function checkHead(request: IncomingMessage, limits: { readonly urlBytes: number }): ApiError | undefined {
  if ((request.url?.length ?? 0) > limits.urlBytes) return errorOfStatus(414);
  const hosts = headerValues(request, 'host').length;
  const isSingle = hosts === 1 || (hosts === 0 && request.httpVersion === '1.0');
  if (isSingle && !INVALID_HOST.test(request.headers.host ?? '')) return undefined;
  return new RequestError('invalid_request', 'Send exactly one Host header.', { headers: { connection: 'close' } });
}

/** The routes that respond only with JSON; probes, pages and metrics ignore `Accept`. */
const API_ROUTE = /^\/v\d+\//;
/** Some clients name the charset that JSON always has. */
const JSON_TYPES = ['application/json', 'application/json;charset=utf-8'];
const COMMON_ACCEPTS: ReadonlySet<string> = new Set(['', '*/*', 'application/json', 'application/json, */*']);
/** Browsers send some hundred characters. Parsing a head full of them takes milliseconds, before authentication. */
const MAX_ACCEPT_LENGTH = 1_000;

/** Returns 406 when the client accepts no JSON from an API route. */
export function checkAccept(route: string | undefined, { accept }: IncomingHttpHeaders): ApiError | undefined {
  return acceptsJson(accept) || route === undefined || !API_ROUTE.test(route) ? undefined : errorOfStatus(406);
}

/** Whether an `Accept` header (RFC 9110, 12.5.1) admits JSON. No header does; one that is too long does not. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || COMMON_ACCEPTS.has(accept.trim())) return true;
  if (accept.length > MAX_ACCEPT_LENGTH) return false;
  return new Negotiator({ headers: { accept } }).mediaType(JSON_TYPES) !== undefined;
}

/** @throws RequestError `unsupported_media_type` for JSON that is not UTF-8 or is compressed (no decompression bombs) */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new RequestError('unsupported_media_type', 'JSON must be UTF-8. Omit the charset or send utf-8.');
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new RequestError('unsupported_media_type', 'Compressed bodies are not supported. Omit Content-Encoding.');
  }
}
