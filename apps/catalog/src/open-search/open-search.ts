import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '@carbon/observability';
import { Client, type ClientOptions } from '@opensearch-project/opensearch';
import { z } from 'zod';
import { openSearchMetrics } from '../catalog.metrics.js';
import { openSearchHint } from './open-search-connection.js';
import { OpenSearchRequestError, OpenSearchUnavailableError, openSearchError } from './open-search-errors.js';

/** One request to OpenSearch. */
export interface OpenSearchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** Lines of JSON, for `_bulk` and `_msearch`; instead of `body`. */
  readonly lines?: string;
  /** Aborts the request when no caller waits for the response any more; OpenSearch then cancels a search. */
  readonly signal?: AbortSignal;
}

/**
 * The client of OpenSearch. Every request has a deadline that includes connecting, and is sent once: the caller decides
 * about retries. A schema parses what the client uses of every response.
 */
export class OpenSearch {
  private readonly client: Client;
  private readonly metrics;

  /** @param connection the address, or the client's options */
  constructor(connection: string | ClientOptions, metrics?: Metrics) {
    const options = typeof connection === 'string' ? { node: connection } : connection;
    this.client = new Client({ ...options, maxRetries: 0, sniffOnStart: false, sniffOnConnectionFault: false });
    this.metrics = metrics?.of(openSearchMetrics);
  }

  /**
   * Sends a request and parses the response.
   * @throws OpenSearchUnavailableError if OpenSearch cannot respond now, or not within `timeoutMs`, or `signal` aborts
   * @throws OpenSearchRequestError if it rejects the request
   */
  async request<T>(request: OpenSearchRequest, response: z.ZodType<T>, timeoutMs: number): Promise<T> {
    const startedAt = performance.now();
    try {
      const body = await this.send(request, timeoutMs);
      this.observe(request.path, startedAt, 'answered');
      return response.parse(body);
    } catch (error) {
      if (error instanceof OpenSearchRequestError) {
        this.metrics?.rejections.inc({ operation: operationOf(request.path), type: error.type });
        this.observe(request.path, startedAt, 'rejected');
      } else if (error instanceof OpenSearchUnavailableError) {
        this.observe(request.path, startedAt, request.signal?.aborted ? 'abandoned' : 'outage');
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private observe(path: string, startedAt: number, outcome: string): void {
    const seconds = (performance.now() - startedAt) / 1_000;
    this.metrics?.duration.observe({ operation: operationOf(path), outcome }, seconds);
  }

  private async send(request: OpenSearchRequest, timeoutMs: number): Promise<unknown> {
    const { method, path, query, body, lines, signal } = request;
    if (signal?.aborted) throw new OpenSearchUnavailableError(false, signal.reason);
    const pending = this.client.transport.request(
      { method, path, querystring: { ...query }, ...(body && { body }), ...(lines && { bulkBody: lines }) },
      { requestTimeout: timeoutMs, maxRetries: 0 },
    );
    // The client's own timeout restarts with every byte. `void`: node reports the rejection of a promise that a listener
    // returns as an uncaught error.
    const abort = () => void pending.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return (await pending).body;
    } catch (error) {
      throw openSearchError(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

const OPERATIONS: Readonly<Record<string, string>> = { _search: 'search', _msearch: 'schema', _bulk: 'bulk' };

function operationOf(path: string): string {
  return OPERATIONS[path.slice(path.lastIndexOf('/') + 1)] ?? 'other';
}

const RETRY_PAUSE_MS = 100;
/** The shortest time that an attempt gets. */
const MIN_ATTEMPT_MS = 300;
/** Network time that a search leaves of a deadline of 500 ms or more. */
const ROUND_TRIP_MS = 200;

/** The timeout and the signal of a call with one retry. */
export interface RetryOptions {
  readonly timeoutMs: number;
  /** Aborts when no caller waits for the response any more; then there is no retry. */
  readonly signal: AbortSignal;
}

/**
 * Retries once, within one deadline, when OpenSearch refuses the first attempt or the connection. A timeout is not
 * retried: that would double the load.
 *
 * @param attempt gets the time that is left, in ms
 */
export async function retryOnce<T>(
  { timeoutMs, signal }: RetryOptions,
  attempt: (leftMs: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  try {
    return await attempt(timeoutMs);
  } catch (error) {
    const left = end - performance.now() - RETRY_PAUSE_MS;
    if (!(error instanceof OpenSearchUnavailableError) || !error.isImmediate || left < MIN_ATTEMPT_MS) throw error;
    await sleep(RETRY_PAUSE_MS, undefined, { signal });
    return await attempt(left);
  }
}

/** Returns how long OpenSearch may search if its response is due in `leftMs`. */
export function searchTimeMs(leftMs: number): number {
  return Math.max(MIN_ATTEMPT_MS, Math.floor(leftMs - ROUND_TRIP_MS));
}

const PING_MS = 5_000;
const PING_AGAIN_MS = 500;

/**
 * Waits until OpenSearch answers: a command may start together with it. Does not wait if a setting is wrong.
 * @throws the last error after `timeoutMs`, or at once an error that says which setting is wrong
 */
export async function waitForOpenSearch(
  openSearch: OpenSearch,
  timeoutMs: number,
  onWait: (sentence: string) => void,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let failures = 1; ; failures += 1) {
    try {
      await openSearch.request({ method: 'GET', path: '/' }, z.object({}), PING_MS);
      return;
    } catch (error) {
      const isTransient = error instanceof OpenSearchUnavailableError && openSearchHint(error) === undefined;
      if (!isTransient || performance.now() >= deadline) throw error;
      if (failures === 1) onWait(`OpenSearch does not answer yet; waiting up to ${timeoutMs / 1_000} s for it.`);
      await sleep(PING_AGAIN_MS);
    }
  }
}
