import type { CachedResponse } from '@carbon/http';
import { LRUCache } from 'lru-cache';

/**
 * Fetches a response whose age counts from `requestedAt`. The signal aborts when every caller has left. The function must settle
 * by itself: the cache has no deadline.
 */
export type Fetch<R> = (requestedAt: number, signal: AbortSignal) => Promise<R>;

/** Single-flight: one fetch for many callers. It is aborted when the last of them leaves. */
class SingleFlight<R> {
  private readonly abort = new AbortController();
  private readonly outcome: Promise<R>;
  private waiting = 0;

  /** @param onEnd called when no caller may join any more: the fetch has succeeded, failed or been aborted */
  constructor(
    readonly requestedAt: number,
    fetch: Fetch<R>,
    private readonly onEnd: (response?: R) => void,
  ) {
    this.outcome = this.run(fetch);
    // A caller that has left must not cause an unhandled rejection.
    this.outcome.catch(() => {});
  }

  /** Waits for the response. Rejects with the signal's reason when the caller leaves. */
  async join(signal: AbortSignal | undefined): Promise<R> {
    this.waiting += 1;
    if (signal === undefined) return await this.outcome;
    return await new Promise<R>((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        this.leave();
      };
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
      this.outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  private leave(): void {
    this.waiting -= 1;
    if (this.waiting > 0) return;
    this.onEnd();
    this.abort.abort(new Error('every caller has left'));
  }

  private async run(fetch: Fetch<R>): Promise<R> {
    try {
      const response = await fetch(this.requestedAt, this.abort.signal);
      this.onEnd(response);
      return response;
    } catch (error) {
      this.onEnd();
      throw error;
    }
  }
}

/** The index refreshes every second, so a response of the last second is as good as a new one. */
const MAX_AGE_MS = 1_000;
/** The memory of an entry besides the bytes of its response. */
const OVERHEAD_BYTES = 500;
/** The largest share of the cache for one response, because a larger one would evict many others. */
const LARGEST_SHARE = 1 / 8;

/**
 * Caches the responses of the last second, and fetches once for concurrent callers. No caller gets a response that was
 * requested more than a second before the call. Failures are not cached.
 */
export class ResponseCache<R extends CachedResponse> {
  private readonly responses: LRUCache<string, R>;
  private readonly inFlight = new Map<string, SingleFlight<R>>();

  /**
   * @param maxBytes the maximum memory of all responses; the least recently used is evicted first
   * @param now the clock, in ms
   */
  constructor(
    maxBytes: number,
    private readonly now = () => performance.now(),
  ) {
    this.responses = new LRUCache<string, R>({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes * LARGEST_SHARE),
      sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + OVERHEAD_BYTES,
      ttl: MAX_AGE_MS,
      // The default caches the time for a millisecond.
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** Returns the cached response, if it is recent. */
  getCached(key: string): R | undefined {
    return this.responses.get(key);
  }

  /** Caches a response until it is a second old, unless it is too large or a more recent one is cached. */
  set(key: string, response: R): void {
    const other = this.getCached(key);
    if (other !== undefined && other.requestedAt >= response.requestedAt) return;
    this.responses.set(key, response, { start: response.requestedAt });
  }

  /**
   * Returns the cached response, or joins the fetch in flight, or starts one. Rejects as `fetch` does, for all callers, and
   * with the signal's reason when the caller leaves.
   */
  async get(key: string, fetch: Fetch<R>, signal?: AbortSignal): Promise<R> {
    return this.getCached(key) ?? (await this.flightFor(key, fetch).join(signal));
  }

  private flightFor(key: string, fetch: Fetch<R>): SingleFlight<R> {
    const requestedAt = this.now();
    const current = this.inFlight.get(key);
    // A fetch that began more than a second ago would give a new caller too old a response.
    if (current !== undefined && requestedAt - current.requestedAt <= MAX_AGE_MS) return current;
    const flight: SingleFlight<R> = new SingleFlight<R>(
      requestedAt,
      async (...args) => await fetch(...args),
      (response) => {
        if (response !== undefined) this.set(key, response);
        if (this.inFlight.get(key) === flight) this.inFlight.delete(key);
      },
    );
    this.inFlight.set(key, flight);
    return flight;
  }
}
