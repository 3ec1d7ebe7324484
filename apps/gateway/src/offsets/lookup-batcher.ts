import { AsyncLocalStorage } from 'node:async_hooks';
import { MAX_LOOKUP_SIZE } from '@carbon/contracts';

/** Batches in flight under load: with two, the other app works on one while this process handles the answers of the other. */
const OVERLAPPING = 2;

/** The bounds of a {@link LookupBatcher}. */
export interface LookupBatcherOptions {
  /** Questions in one batch. */
  readonly maxBatchSize: number;
  /** Questions that wait for a batch; more get no answer. */
  readonly maxWaiting: number;
  /** Batches in flight, with those that get no answer. */
  readonly maxInFlight: number;
  /** How long a question waits for the batches in flight before it leaves beside them, in ms. */
  readonly maxHoldMs: number;
  /** From a question to its answer, in ms. */
  readonly timeoutMs: number;
}

/**
 * Bounds of questions about ids: a slow offsets service cannot fill our memory, and a request that takes longer than the usual few
 * milliseconds delays those behind it by 25 ms at most.
 */
export const LOOKUP_BOUNDS = { maxBatchSize: MAX_LOOKUP_SIZE, maxWaiting: 1_000, maxHoldMs: 25 } as const;

/** A question until it is settled. */
interface Entry<Q, A> {
  readonly question: Q;
  /** `performance.now()` at the question. */
  readonly begunMs: number;
  readonly resolve: (answer: A | undefined) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | undefined;
  isSettled: boolean;
}

/**
 * Sends questions in self-clocked batches: while two batches are in flight the next one gathers. A lone question leaves at once,
 * and batches grow with the load. Each question has its own deadline. Batches that get no answer delay the questions behind
 * them by `maxHoldMs`, because they then leave beside them.
 */
export class LookupBatcher<Q, A> {
  private readonly waiting: Entry<Q, A>[] = [];
  private inFlight = 0;
  private isScheduled = false;
  private isHolding = false;
  /** A batch belongs to no single request, so it must not run in the context of whichever came first. */
  private readonly outsideContext = AsyncLocalStorage.snapshot();

  /** @param send returns the answers in the order of the questions; undefined, or none at the end, where there is none */
  constructor(
    private readonly options: LookupBatcherOptions,
    private readonly send: (questions: readonly Q[]) => Promise<readonly (A | undefined)[]>,
  ) {}

  /** Whether the next question gets no answer. */
  get isFull(): boolean {
    return this.waiting.length >= this.options.maxWaiting;
  }

  /**
   * Returns the answer, or undefined when there is none in time. A question cannot be withdrawn: without it, its batch would
   * cost the same.
   */
  ask(question: Q): Promise<A | undefined> {
    if (this.isFull) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const begunMs = performance.now();
      const entry: Entry<Q, A> = { question, begunMs, resolve, reject, timer: undefined, isSettled: false };
      const expire = () => settle(entry, () => resolve(undefined));
      // An answer that arrived while this process was busy is read before the question counts as late.
      entry.timer = setTimeout(() => setImmediate(expire), this.options.timeoutMs);
      this.waiting.push(entry);
      this.schedule();
    });
  }

  /** Runs after the current events, so that questions of one tick leave in one batch. */
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
    if (oldest !== undefined && this.inFlight < this.options.maxInFlight) this.hold(oldest);
  }

  private isDue(): boolean {
    const { maxBatchSize, maxInFlight, maxHoldMs } = this.options;
    const [oldest] = this.waiting;
    if (oldest === undefined || this.inFlight >= maxInFlight) return false;
    if (this.inFlight < OVERLAPPING || this.waiting.length >= maxBatchSize) return true;
    return performance.now() - oldest.begunMs >= maxHoldMs;
  }

  /** Pumps again when the oldest question has waited long enough. */
  private hold({ begunMs }: Entry<Q, A>): void {
    if (this.isHolding) return;
    this.isHolding = true;
    const ms = Math.max(1, begunMs + this.options.maxHoldMs - performance.now());
    setTimeout(() => {
      this.isHolding = false;
      this.pump();
    }, ms).unref();
  }

  private take(): Entry<Q, A>[] {
    return this.waiting.splice(0, this.options.maxBatchSize).filter(({ isSettled }) => !isSettled);
  }

  private async dispatch(batch: readonly Entry<Q, A>[]): Promise<void> {
    if (batch.length === 0) return;
    this.inFlight += 1;
    try {
      const answers = await this.send(batch.map(({ question }) => question));
      for (const [at, entry] of batch.entries()) settle(entry, () => entry.resolve(answers[at]));
    } catch (error) {
      for (const entry of batch) settle(entry, () => entry.reject(error));
    }
    this.inFlight -= 1;
    this.schedule();
  }
}

/** Only the first outcome of a question counts. */
function settle<Q, A>(entry: Entry<Q, A>, outcome: () => void): void {
  clearTimeout(entry.timer);
  if (entry.isSettled) return;
  entry.isSettled = true;
  outcome();
}
