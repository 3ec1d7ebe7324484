import { CarbonError, NetworkError, TimedOutError } from './errors.js';
import { nextQuery } from './listing.js';
import { type CallOptions, type RetryLimits, retryLimitsOf } from './options.js';
import { type ApiRequest, checkNumbers, queryString } from './request.js';
import { errorOf, unexpected } from './response.js';
import { type ApiResponse, type Endpoint, pause, send } from './send.js';

/** Sends the requests of one client, with retries. */
export class Transport {
  constructor(
    private readonly endpoint: Endpoint,
    private readonly limits: RetryLimits,
  ) {}

  /** Returns the limits of a call. @throws RangeError for invalid numbers */
  limitsOf(options: CallOptions = {}): RetryLimits {
    return retryLimitsOf(options, this.limits);
  }

  /**
   * Sends a request until a response has an expected status, within the limits of the client and the call. Every request may
   * be retried: a GET changes nothing, a POST of an offset has an idempotency key, and an extra estimate reserves nothing.
   *
   * @throws CarbonError the last one; RangeError for invalid numbers; the reason of the signal
   */
  async send(request: ApiRequest, options: CallOptions = {}): Promise<ApiResponse> {
    checkNumbers(request);
    const { tryMs, timeoutMs, tries } = this.limitsOf(options);
    const { signal } = options;
    const end = performance.now() + timeoutMs;
    let next = request;
    let openKey: string | undefined;
    for (let count = 1; ; count++) {
      try {
        const response = await send(this.endpoint, next, Math.min(tryMs, end - performance.now()), signal);
        if (request.expectedStatuses.includes(response.status)) return response;
        throw errorOf(response);
      } catch (error) {
        if (!(error instanceof CarbonError)) throw error;
        const wait = retryDelay(count, error.retryAfter);
        const isLast = count >= tries || wait >= end - performance.now();
        if (!isTransient(error) || isLast) throw withOpenKey(error, openKey);
        if (mayBeAccepted(error)) openKey = error.retryKey ?? openKey;
        next = retryOf(next, error);
        await pause(wait, signal);
      }
    }
  }

  /**
   * Returns the query of the next page.
   * @throws UnexpectedAnswerError when the link leads to another path or service, or to the same page
   */
  nextQuery({ path, query }: ApiRequest, response: ApiResponse): string | undefined {
    try {
      return nextQuery(response.headers.get('link'), this.endpoint.baseUrl + path + queryString(query));
    } catch (error) {
      throw unexpected(response, error instanceof RangeError ? `is not a page: ${error.message}` : undefined);
    }
  }
}

/** Whether the service may have accepted the request, although it seemed to fail. */
function mayBeAccepted({ code, status }: CarbonError): boolean {
  return code === 'unexpected_answer' || (code !== 'not_accepted' && status !== 408 && status !== 429);
}

/** Adds the key of an earlier try that may have been accepted to the error of a try that was rejected, if it can be used. */
function withOpenKey(error: CarbonError, openKey: string | undefined): CarbonError {
  if (openKey === undefined || error.retryKey !== undefined || error.code === 'idempotency_key_reused') return error;
  return Object.assign(error, { retryKey: openKey });
}

/** The same request, with the key that the service returned for a safe retry. */
function retryOf(request: ApiRequest, { retryKey }: CarbonError): ApiRequest {
  const isKeyed = request.idempotencyKey !== undefined && retryKey !== undefined;
  return isKeyed ? { ...request, idempotencyKey: retryKey } : request;
}

/**
 * Statuses after which the same request may succeed. 502 and 504 come from a proxy: as without a response, the service may have
 * received the request.
 */
const TRANSIENT_STATUSES: ReadonlySet<number | undefined> = new Set([408, 429, 502, 503, 504]);
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

/** Whether the same request may succeed later. */
export function isTransient(error: CarbonError): boolean {
  return error instanceof NetworkError || error instanceof TimedOutError || TRANSIENT_STATUSES.has(error.status);
}

/**
 * Returns the delay before the next try in ms: `Retry-After` plus jitter, or without it exponential backoff with jitter.
 *
 * @param tries the number of tries so far
 */
export function retryDelay(tries: number, retryAfter: number | undefined, random = Math.random()): number {
  const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  const jitter = (backoff / 2) * random;
  return retryAfter === undefined ? backoff - jitter : retryAfter * 1_000 + jitter;
}
