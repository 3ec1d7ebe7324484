import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, acceptedId, Gateways } from '@carbon/e2e/load';
import { z } from 'zod';
import { Random } from '../random.js';

const refusal = z.object({ code: z.string(), retryKey: z.string().optional() });

/** One offset of the load, with everything that its client knows about it. */
export interface Attempt {
  /** The offset's `customerRef`, unique per attempt. */
  readonly reference: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The `Idempotency-Key`: the client's own, or the `retryKey` of a 503. */
  key: string | undefined;
  /** The ids of its 202 responses; more than one is a failure. */
  readonly ids: Set<string>;
  /**
   * Whether a response was lost or its outcome unknown, so that it may have been accepted without the client's
   * knowledge.
   */
  unknown: boolean;
}

/** How the load is posted. */
export interface OffsetLoadOptions {
  readonly gateways: readonly string[];
  readonly perSecond: number;
  readonly inFlight: number;
  readonly random: Random;
  readonly onAccepted: (id: string) => void;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 1_000;
/** Share of the requests that have a key from the start. */
const KEYED = 0.5;
/** After this many accepted requests with a key, one of them is sent again, like by a client that lost the response. */
const REPLAYED = 0.05;
/** Separate random numbers: the times of repetitions must not change the requests. */
const REPLAYS_SEED = 1_000_000;
const HEAVIEST_KG = 2_000;
/** Enough examples; a request that is always refused would be retried for ever. */
const MOST_UNEXPECTED = 1_000;

/** Posts offsets at a steady rate, each until it is accepted, like a careful client; and stores all of them. */
export class OffsetLoad {
  readonly attempts: Attempt[] = [];
  /** The number of each response: a status, or `broken` for a closed connection. */
  readonly answers = new Map<string, number>();
  /** Responses that no POST should get. */
  readonly unexpected: string[] = [];
  /** Milliseconds of the slowest POST, whatever its response. */
  longestMs = 0;
  /** Accepted, with a key. */
  private readonly keyed: Attempt[] = [];
  private readonly replays: Random;
  private readonly client: Gateways;
  private readonly open = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly options: OffsetLoadOptions) {
    this.client = new Gateways(options.gateways, options.inFlight);
    this.replays = new Random(options.random.seed + REPLAYS_SEED);
  }

  start(): void {
    this.running = this.run();
  }

  /** Starts no new offset, and resolves when the started ones are accepted, after `timeoutMs` at the latest. */
  async stop(timeoutMs: number): Promise<void> {
    this.ending.abort();
    await this.running;
    const all = Promise.all(this.open);
    await Promise.race([all, sleep(timeoutMs, undefined, { ref: false })]);
  }

  /** Aborts everything at once. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.ending.abort();
    await this.client.close();
  }

  /** Posts one additional offset, with a key. Resolves with its id when it is accepted. */
  async one(more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const attempt = this.begin(more);
    attempt.key ??= `key-${attempt.reference}`;
    await this.accept(attempt);
    return [...attempt.ids][0] ?? '';
  }

  /** Sends a GET and returns the response. */
  get(path: string): Promise<Answer> {
    return this.client.get(path);
  }

  private async run(): Promise<void> {
    const begun = performance.now();
    for (let n = 0; !this.ending.signal.aborted; n += 1) {
      const waitMs = begun + (n * 1_000) / this.options.perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.ending.signal }).catch(() => {});
      while (this.open.size >= this.options.inFlight && !this.ending.signal.aborted) await Promise.race(this.open);
      const posting = this.accept(this.begin()).finally(() => this.open.delete(posting));
      this.open.add(posting);
    }
  }

  private begin(more: Readonly<Record<string, unknown>> = {}): Attempt {
    const { random } = this.options;
    const reference = `chaos-${random.seed}-${this.attempts.length}`;
    const body = { kgCO2e: random.whole(1, HEAVIEST_KG * 1_000) / 1_000, customerRef: reference, ...more };
    const key = random.next() < KEYED ? `key-${reference}` : undefined;
    const attempt: Attempt = { reference, body, key, ids: new Set(), unknown: false };
    this.attempts.push(attempt);
    return attempt;
  }

  /**
   * Posts until it is accepted. Without a key, a request whose connection broke cannot be retried: it may have been
   * accepted, and a retry would create a second offset.
   */
  private async accept(attempt: Attempt): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)) {
      const id = await this.post(attempt);
      if (id !== undefined) {
        this.options.onAccepted(id);
        if (attempt.key !== undefined) await this.replay(attempt);
        return;
      }
      if (this.isClosed || (attempt.unknown && attempt.key === undefined)) return;
      if (this.unexpected.length > MOST_UNEXPECTED) return;
      await sleep(waitMs, undefined, { ref: false });
    }
  }

  /** Half of them immediately, half from anywhere in the run, so that faults are between the two. */
  private async replay(attempt: Attempt): Promise<void> {
    this.keyed.push(attempt);
    if (this.replays.next() >= REPLAYED) return;
    await this.post(this.replays.next() < 0.5 ? attempt : this.replays.pick(this.keyed));
  }

  /** @returns the id if it was accepted */
  private async post(attempt: Attempt): Promise<string | undefined> {
    const sent = performance.now();
    const answer = await this.client.createOffset(attempt.body, attempt.key);
    const outcome = answer.kind === 'broken' ? 'broken' : String(answer.status);
    this.answers.set(outcome, (this.answers.get(outcome) ?? 0) + 1);
    // A broken connection is a response, too; only one that hangs ends late.
    this.longestMs = Math.max(this.longestMs, performance.now() - sent);
    if (answer.kind === 'broken') {
      // A refused connection has sent nothing.
      if (!answer.reason.includes('ECONNREFUSED')) attempt.unknown = true;
      return undefined;
    }
    const id = answer.status === 202 ? acceptedId(answer.body) : undefined;
    if (id !== undefined) attempt.ids.add(id);
    else if (answer.status === 503) this.takeRefusal(attempt, answer.body);
    else this.unexpected.push(`${attempt.reference}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return id;
  }

  private takeRefusal(attempt: Attempt, body: unknown): void {
    const { data } = refusal.safeParse(body);
    if (data?.code !== 'not_accepted') attempt.unknown = true;
    attempt.key ??= data?.retryKey;
  }
}
