import { AsyncLocalStorage } from 'node:async_hooks';
import { MAX_LOOKUP_SIZE } from '@carbon/contracts';

/** Batches in flight under load: with two, the other app works on one while this process handles the response of the other. */
const OVERLAPPING = 2;

/** The bounds of a {@link LookupBatcher}. */
export interface LookupBatcherOptions {
  /** Look-ups in one batch. */
  readonly maxBatchSize: number;
  /** Look-ups that wait for a batch; more get no result. */
  readonly maxWaiting: number;
  /** Batches in flight, including those that get no response. */
  readonly maxInFlight: number;
  /** How long a look-up waits for the batches in flight before it is sent all the same, in ms. */
  readonly maxDelayMs: number;
  /** From a look-up to its result, in ms. */
  readonly timeoutMs: number;
}

/**
 * Bounds of look-ups about ids: a slow offsets service cannot fill our memory, and a request that takes longer than the usual few
 * milliseconds delays those behind it by 25 ms at most.
 */
export const LOOKUP_BOUNDS = { maxBatchSize: MAX_LOOKUP_SIZE, maxWaiting: 1_000, maxDelayMs: 25 } as const;

/** A look-up until it is settled. */
interface Entry<Lookup, Result> {
  readonly lookup: Lookup;
  /** `performance.now()` at the look-up. */
  readonly begunMs: number;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | undefined;
  isSettled: boolean;
}

/**
 * Sends look-ups in self-clocked batches: while two batches are in flight the next one gathers. A single look-up is sent at
 * once, and batches grow with the load. Each look-up has its own deadline. Batches that get no response delay the look-ups
 * behind them by at most `maxDelayMs`; then those are sent all the same.
 */
export class LookupBatcher<Lookup, Result> {
  private readonly waiting: Entry<Lookup, Result>[] = [];
  private inFlight = 0;
  private isScheduled = false;
  private isDelaying = false;
  /** A batch belongs to no single request, so it must not run in the context of whichever came first. */
  private readonly outsideContext = AsyncLocalStorage.snapshot();

  /** @param send returns the results in the order of the look-ups; undefined, or none at the end, where there is none */
  constructor(
    private readonly options: LookupBatcherOptions,
    private readonly send: (lookups: readonly Lookup[]) => Promise<readonly (Result | undefined)[]>,
  ) {}

  /** Whether the next look-up gets no result. */
  get isFull(): boolean {
    return this.waiting.length >= this.options.maxWaiting;
  }

  /**
   * Returns the result, or undefined when there is none in time. A look-up cannot be withdrawn: without it, its batch would
   * cost the same.
   */
  lookUp(lookup: Lookup): Promise<Result | undefined> {
    if (this.isFull) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const begunMs = performance.now();
      const entry: Entry<Lookup, Result> = { lookup, begunMs, resolve, reject, timer: undefined, isSettled: false };
      const expire = () => settle(entry, () => resolve(undefined));
      // A response that arrived while this process was busy is read before the look-up counts as late.
      entry.timer = setTimeout(() => setImmediate(expire), this.options.timeoutMs);
      this.waiting.push(entry);
      this.schedule();
    });
  }

  /** Runs after the current events, so that look-ups of one tick are in one batch. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.outsideContext(() =>
      setImmediate(() => {
        this.isScheduled = false;
        this.pump();
      }),
    );
  }

  private pump(): void {
    while (this.isDue()) void this.dispatch(this.take());
    const [oldest] = this.waiting;
    if (oldest !== undefined && this.inFlight < this.options.maxInFlight) this.delay(oldest);
  }

  private isDue(): boolean {
    const { maxBatchSize, maxInFlight, maxDelayMs } = this.options;
    const [oldest] = this.waiting;
    if (oldest === undefined || this.inFlight >= maxInFlight) return false;
    if (this.inFlight < OVERLAPPING || this.waiting.length >= maxBatchSize) return true;
    return performance.now() - oldest.begunMs >= maxDelayMs;
  }

  /** Pumps again when the oldest look-up has waited long enough. */
  private delay({ begunMs }: Entry<Lookup, Result>): void {
    if (this.isDelaying) return;
    this.isDelaying = true;
    const ms = Math.max(1, begunMs + this.options.maxDelayMs - performance.now());
    setTimeout(() => {
      this.isDelaying = false;
      this.pump();
    }, ms).unref();
  }

  private take(): Entry<Lookup, Result>[] {
    return this.waiting.splice(0, this.options.maxBatchSize).filter(({ isSettled }) => !isSettled);
  }

  private async dispatch(batch: readonly Entry<Lookup, Result>[]): Promise<void> {
    if (batch.length === 0) return;
    this.inFlight += 1;
    try {
      const results = await this.send(batch.map(({ lookup }) => lookup));
      for (const [at, entry] of batch.entries()) settle(entry, () => entry.resolve(results[at]));
    } catch (error) {
      for (const entry of batch) settle(entry, () => entry.reject(error));
    }
    this.inFlight -= 1;
    this.schedule();
  }
}

/** Only the first outcome of a look-up counts. */
function settle<Lookup, Result>(entry: Entry<Lookup, Result>, outcome: () => void): void {
  clearTimeout(entry.timer);
  if (entry.isSettled) return;
  entry.isSettled = true;
  outcome();
}
