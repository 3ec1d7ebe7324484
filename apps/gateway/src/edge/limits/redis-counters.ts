import { Logger } from '@nestjs/common';
import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { z } from 'zod';
import { debtAtStart, type Limit, type Taken } from './bucket.js';
import { inTime, Late } from './in-time.js';
import { RedisLink, redisAdvice, Script, type TlsFiles } from './redis-link.js';
import { TAKE_SCRIPT, takeArguments } from './take-script.js';

/** Where the common counters are, and how long one is waited for. */
export interface RedisCountersSettings {
  readonly url: string;
  /** The files by which a rediss:// connection is secured. */
  readonly tls?: TlsFiles;
  /** What the names of all keys begin with. */
  readonly prefix: string;
  readonly deadlineMs: number;
  /** How often it is looked whether they answer; every second unless given. */
  readonly lookEveryMs?: number;
  /** Hears of each question: how long it took in seconds, and what came of it. */
  readonly onAsked?: (seconds: number, outcome: 'answered' | 'late' | 'failed') => void;
}

const FAILURES_TO_OPEN = 3;
const LOOK_EVERY_MS = 1_000;
/** After so many looks without an answer the connection is made anew. */
const LOOKS_TO_RENEW = 5;
const PROBE: Limit = { perSecond: 1_000, burst: 1_000 };

const answerSchema = z.tuple([z.literal([0, 1]), z.int().min(0)]);

/**
 * Counters that several gateways have in common, on a server with the Redis protocol. After three failures in a row nobody
 * is asked any more but by a look every second, so that a server that is away costs a request nothing.
 */
export class RedisCounters {
  private readonly logger = new Logger('limits');
  private readonly script = new Script(TAKE_SCRIPT);
  private readonly link: RedisLink;
  private readonly breaker: CircuitBreakerPolicy;
  private readonly looking: NodeJS.Timeout;
  private lastFailure: unknown;
  private silentLooks = 0;
  private saidToAnswer: boolean | undefined;

  constructor(private readonly settings: RedisCountersSettings) {
    const { lookEveryMs = LOOK_EVERY_MS } = settings;
    this.link = new RedisLink(settings.url, settings.tls);
    this.breaker = circuitBreaker(handleAll, {
      // Asked again by every look, and by nobody else.
      halfOpenAfter: lookEveryMs / 2,
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    });
    this.looking = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  /** Whether requests are decided here: it is connected, and has answered lately. */
  get answers(): boolean {
    return this.link.isReady && this.breaker.state === CircuitState.Closed;
  }

  /** Throws why it does not answer, when it does not. */
  check(): void {
    if (!this.answers) throw new Error('Redis does not answer', { cause: this.reason });
  }

  /**
   * Takes one request from a bucket.
   * @param known its debt as far as this process knows, for a server that has lost what it knew
   * @throws when there is no answer in time, or none that makes sense
   */
  async take(bucket: string, limit: Limit, known: number): Promise<Taken> {
    const begun = performance.now();
    try {
      const taken = await this.breaker.execute(() => this.ask(bucket, limit, known));
      this.tell(begun, 'answered');
      return taken;
    } catch (error) {
      this.lastFailure = error;
      this.tell(begun, error instanceof Late ? 'late' : 'failed');
      throw error;
    }
  }

  close(): void {
    clearInterval(this.looking);
    this.link.close();
  }

  private async ask(bucket: string, limit: Limit, known: number): Promise<Taken> {
    const { prefix, deadlineMs } = this.settings;
    const answer = this.link.run(this.script, prefix + bucket, takeArguments(limit, known));
    const [admitted, debt] = answerSchema.parse(await inTime(answer, deadlineMs));
    return { admitted: admitted === 1, debt };
  }

  private get reason(): unknown {
    return this.link.isReady ? this.lastFailure : this.link.lastError;
  }

  private async look(): Promise<void> {
    const answered =
      this.link.isReady && (await this.take('look', PROBE, debtAtStart(PROBE)).then(Boolean, () => false));
    this.silentLooks = answered ? 0 : this.silentLooks + 1;
    this.say();
    if (this.silentLooks > 0 && this.silentLooks % LOOKS_TO_RENEW === 0) this.link.renew();
  }

  /** Once for each change. */
  private say(): void {
    const { answers } = this;
    if (answers === this.saidToAnswer) return;
    this.saidToAnswer = answers;
    if (answers) this.logger.log('Redis counts the requests of all gateways together');
    else
      this.logger.warn(
        `Redis does not answer: this process counts requests by itself. ${redisAdvice(this.reason) ?? ''}`.trimEnd(),
        this.reason,
      );
  }

  private tell(begun: number, outcome: 'answered' | 'late' | 'failed'): void {
    this.settings.onAsked?.((performance.now() - begun) / 1_000, outcome);
  }
}
