import { CarbonError, NetworkError, TimedOutError, UnexpectedAnswerError } from './errors.js';
import { type ApiRequest, queryString } from './request.js';

/** The service and what every request to it has. */
export interface Endpoint {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** A function, so that printing the client does not show the key. */
  readonly key: () => string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** A complete response. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The idempotency key of the request, for a retry if the outcome is unknown. */
  readonly sentKey: string | undefined;
}

/** More than any response of the service. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Sends a request once. @throws NetworkError, TimedOutError, or the reason of the signal */
export async function send(
  endpoint: Endpoint,
  request: ApiRequest,
  ms: number,
  signal?: AbortSignal,
): Promise<ApiResponse> {
  const { baseUrl, fetch } = endpoint;
  const url = baseUrl + request.path + queryString(request.query);
  const init = initOf(endpoint, request);
  const sentKey = request.idempotencyKey;
  const result = await withTimeout(ms, signal, async (ending) => {
    try {
      const response = await fetch(url, { ...init, signal: ending });
      return { status: response.status, headers: response.headers, text: await textOf(response, sentKey), sentKey };
    } catch (cause) {
      if (cause instanceof CarbonError) throw cause;
      throw new NetworkError(`no complete response from ${baseUrl}`, { cause, retryKey: sentKey });
    }
  });
  if (result !== TIMED_OUT) return result;
  throw new TimedOutError(`no complete response from ${baseUrl} within ${Math.round(ms)} ms`, { retryKey: sentKey });
}

/** Redirects are not followed: the service sends none, and no other host may get the key. */
function initOf(endpoint: Endpoint, { method, body, headers, idempotencyKey }: ApiRequest): RequestInit {
  const key = endpoint.key();
  return {
    method,
    redirect: 'manual',
    credentials: 'omit',
    headers: {
      accept: 'application/json, application/problem+json',
      ...headers,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function textOf(response: Response, sentKey: string | undefined): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    if (length > MAX_BODY_BYTES) throw tooLong(response, sentKey);
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function tooLong({ status }: Response, retryKey: string | undefined): UnexpectedAnswerError {
  const detail = `the response is longer than ${MAX_BODY_BYTES} bytes (status ${status})`;
  return new UnexpectedAnswerError(detail, { status, retryKey });
}

/** The result of work that took too long. */
export const TIMED_OUT: unique symbol = Symbol('timed out');

/**
 * Runs work until it ends, `ms` have passed or the caller's signal aborts; then aborts the work's own signal without waiting
 * for it. @throws the reason of the caller's signal
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | typeof TIMED_OUT> {
  signal?.throwIfAborted();
  const own = new AbortController();
  let stop = () => {};
  const stopped = new Promise<typeof TIMED_OUT>((resolve, reject) => {
    const timer = setTimeout(() => resolve(TIMED_OUT), ms);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      own.abort();
    };
  });
  try {
    return await Promise.race([stopped, work(own.signal)]);
  } finally {
    stop();
  }
}

/** Waits. @throws the reason of the signal when it aborts */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await withTimeout(ms, signal, () => new Promise<never>(() => {}));
}
