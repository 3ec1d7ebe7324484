import { LRUCache } from 'lru-cache';

/** What a single flight asks, and what it reports. */
export interface SingleFlightCall<A> {
  /** Asks; the signal says that nobody waits any more. */
  readonly begin: (abandoned: AbortSignal) => Promise<A>;
  /** Called with the answer, before those who wait have it. */
  readonly answered: (answer: A) => void;
  /** Called once when it can be joined no more: it was answered, has failed, or was given up. */
  readonly ended: () => void;
}

/** Single-flight: one question for many callers. It is aborted when the last of them has gone. */
export class SingleFlight<A> {
  private readonly giveUp = new AbortController();
  private readonly outcome: Promise<A>;
  private waiting = 0;

  constructor(
    readonly askedAt: number,
    private readonly plan: SingleFlightCall<A>,
  ) {
    this.outcome = this.run();
    // Whoever has gone does not hear of a failure.
    this.outcome.catch(() => {});
  }

  /** Waits for the answer. @param signal says that who waits has gone; then rejects with its reason */
  async join(signal: AbortSignal | undefined): Promise<A> {
    this.waiting += 1;
    if (signal === undefined) return await this.outcome;
    return await new Promise<A>((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        this.leave();
      };
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
      const stay = () => signal.removeEventListener('abort', leave);
      this.outcome.then(resolve, reject).finally(stay);
    });
  }

  private leave(): void {
    this.waiting -= 1;
    if (this.waiting > 0) return;
    this.plan.ended();
    this.giveUp.abort(new Error('nobody waits for the answer any more'));
  }

  private async run(): Promise<A> {
    try {
      const answer = await this.plan.begin(this.giveUp.signal);
      this.plan.answered(answer);
      return answer;
    } finally {
      this.plan.ended();
    }
  }
}

/** An answer as it is given, ready to be sent. */
export interface CachedResponse {
  /** When what it tells was asked for, by `performance.now()`, in ms: its age counts from then. */
  readonly askedAt: number;
  /** About how much memory it takes. */
  readonly bytes: number;
}

/**
 * Asks for an answer, whose age is to be counted from `askedAt`. The signal says that nobody waits for it any more. Must
 * settle by itself, for it is waited for without another deadline.
 */
export type AskForAnswer<A> = (askedAt: number, signal: AbortSignal) => Promise<A>;

/** The index refreshes every second, so an answer of the last second is as good as a new one. */
const LONGEST_AGE_MS = 1_000;
/** What keeping an answer costs beside its bytes. */
const OVERHEAD_BYTES = 500;
/** Of all the room: one answer that takes more is not kept, lest it drive out all others. */
const LARGEST_SHARE = 1 / 8;

/**
 * Answers of the last second, so that what was just asked need not be asked again. Nobody gets one that was asked for more
 * than a second before the question came. What many ask at the same time is asked once; failures are not kept.
 */
export class ResponseCache<A extends CachedResponse> {
  private readonly kept: LRUCache<string, A>;
  private readonly inFlight = new Map<string, SingleFlight<A>>();
  private purgedAt = 0;

  /**
   * @param mostBytes what all of them may take in memory; the least recently given goes first
   * @param now the clock, in ms
   */
  constructor(
    mostBytes: number,
    private readonly now = () => performance.now(),
  ) {
    this.kept = new LRUCache<string, A>({
      maxSize: mostBytes,
      maxEntrySize: Math.floor(mostBytes * LARGEST_SHARE),
      sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + OVERHEAD_BYTES,
      ttl: LONGEST_AGE_MS,
      // The time is read whenever it is needed, and never remembered.
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** About how much memory the answers take that are kept now. */
  get bytes(): number {
    return this.kept.calculatedSize;
  }

  /** The answer kept under this key, when it is recent. */
  recall(key: string): A | undefined {
    return this.kept.get(key);
  }

  /** Keeps an answer until it is a second old, if there is room and none that is more recent. */
  keep(key: string, answer: A): void {
    this.purge();
    const other = this.recall(key);
    if (other !== undefined && other.askedAt >= answer.askedAt) return;
    this.kept.set(key, answer, { start: answer.askedAt });
  }

  /**
   * The answer kept under this key, or the one that is being asked for, or else one that is asked for now. Rejects as
   * `ask` does, for all who wait.
   *
   * @param signal says that who asks has gone: rejects with its reason, and gives the question up when nobody else waits
   */
  async get(key: string, ask: AskForAnswer<A>, signal?: AbortSignal): Promise<A> {
    return this.recall(key) ?? (await this.singleFlightFor(key, ask).join(signal));
  }

  private singleFlightFor(key: string, ask: AskForAnswer<A>): SingleFlight<A> {
    const askedAt = this.now();
    const underWay = this.inFlight.get(key);
    // One that has been asked for longer than answers are kept would tell a newcomer of a time too long ago.
    if (underWay !== undefined && askedAt - underWay.askedAt <= LONGEST_AGE_MS) return underWay;
    const call = new SingleFlight<A>(askedAt, {
      begin: async (abandoned) => await ask(askedAt, abandoned),
      answered: (answer) => this.keep(key, answer),
      ended: () => this.inFlight.get(key) === call && this.inFlight.delete(key),
    });
    this.inFlight.set(key, call);
    return call;
  }

  /** What nobody asks for again would stay until others need its room. */
  private purge(): void {
    const now = this.now();
    if (now - this.purgedAt < LONGEST_AGE_MS) return;
    this.purgedAt = now;
    this.kept.purgeStale();
  }
}
