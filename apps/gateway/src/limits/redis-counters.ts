import { createHash } from 'node:crypto';
import { DeadlineExceeded, withTimeout } from '@carbon/observability';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { z } from 'zod';
import { RedisConnection, redisHint, type TlsFiles } from './redis-connection.js';
import { type Decision, debtAtStart, depthOf, intervalOf, type Limit } from './token-bucket.js';

/** The address of the shared counters, and the timeout of a call. */
export interface RedisCountersOptions {
  readonly url: string;
  /** The files that secure a rediss:// connection. */
  readonly tls?: TlsFiles;
  /** The prefix of every key in Redis. */
  readonly prefix: string;
  readonly timeoutMs: number;
  /** The interval of the probes in ms; 1,000 by default. */
  readonly probeIntervalMs?: number;
  /** Receives the duration in seconds and the outcome of each call. */
  readonly onCall?: (seconds: number, outcome: RedisOutcome) => void;
}

type RedisOutcome = 'answered' | 'timeout' | 'failed';

const FAILURES_TO_OPEN = 3;
const PROBE_INTERVAL_MS = 1_000;
/** The connection is replaced after this many probes without an answer. */
const PROBES_TO_RECONNECT = 5;
const PROBE: Limit = { perSecond: 1_000, burst: 1_000 };

const answerSchema = z.tuple([z.literal([0, 1]), z.int().min(0)]);

/**
 * `take` of the token bucket as one atomic script. It uses the server's clock, because the gateways' clocks differ, and the debt that
 * the gateway knows where none is stored, so a Redis that lost its data gives no caller in the gateway's table a second burst. A debt
 * beyond the depth, after the clock or the limit was set, is reduced to it. A key expires when its bucket is full. KEYS[1] is the bucket;
 * ARGV are interval, depth and known debt in microseconds. Needs Redis 5.
 */
const SCRIPT = `
local interval, depth, known = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full_at = tonumber(redis.call('GET', KEYS[1]) or '') or now + known
local debt = math.max(full_at - now, 0)
local admitted = debt + interval <= depth
if admitted then debt = debt + interval elseif debt <= depth then return {0, debt} else debt = depth end
redis.call('SET', KEYS[1], string.format('%.0f', now + debt), 'PX', math.ceil(debt / 1000))
return {admitted and 1 or 0, debt}
`;
const TAKE = { text: SCRIPT, sha1: createHash('sha1').update(SCRIPT).digest('hex') };

/**
 * Token buckets that several gateways share, on a server with the Redis protocol. After three failures in a row only one
 * probe a second is sent to it, so that a server that is down does not slow requests down.
 */
export class RedisCounters implements OnApplicationShutdown {
  private readonly logger = new Logger('limits');
  private readonly connection: RedisConnection;
  private readonly breaker: CircuitBreakerPolicy;
  private readonly probes: NodeJS.Timeout;
  private lastFailure: unknown;
  private failedProbes = 0;
  private wasAvailable: boolean | undefined;

  constructor(private readonly options: RedisCountersOptions) {
    const { probeIntervalMs = PROBE_INTERVAL_MS } = options;
    this.connection = new RedisConnection(options.url, options.tls);
    this.breaker = circuitBreaker(handleAll, {
      // Half-open at every probe, and no other call is sent while it is not closed.
      halfOpenAfter: probeIntervalMs / 2,
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    });
    this.probes = setInterval(() => void this.probe(), probeIntervalMs).unref();
  }

  /** Whether requests are counted here: it is connected, and its circuit breaker is closed. */
  get isAvailable(): boolean {
    return this.connection.isReady && this.breaker.state === CircuitState.Closed;
  }

  /** Throws, with the reason, when Redis does not answer. */
  checkHealth(): void {
    if (!this.isAvailable) throw new Error('Redis does not answer', { cause: this.reason });
  }

  /**
   * Takes one request from a bucket.
   * @param knownDebt its debt as far as this process knows, for a server that lost its data
   * @throws when no valid answer comes in time
   */
  async take(bucket: string, limit: Limit, knownDebt: number): Promise<Decision> {
    const startedAt = performance.now();
    const observe = (outcome: RedisOutcome) => this.options.onCall?.((performance.now() - startedAt) / 1_000, outcome);
    try {
      const decision = await this.breaker.execute(() => this.call(bucket, limit, knownDebt));
      observe('answered');
      return decision;
    } catch (error) {
      this.lastFailure = error;
      observe(error instanceof DeadlineExceeded ? 'timeout' : 'failed');
      throw error;
    }
  }

  /** Called when the last request has been answered. */
  onApplicationShutdown(): void {
    clearInterval(this.probes);
    this.connection.close();
  }

  private async call(bucket: string, limit: Limit, knownDebt: number): Promise<Decision> {
    const { prefix, timeoutMs } = this.options;
    const args = [intervalOf(limit), depthOf(limit), Math.round(knownDebt)].map(String);
    const answer = this.connection.run(TAKE, prefix + bucket, args);
    const [admitted, debt] = answerSchema.parse(await withTimeout(timeoutMs, answer));
    return { admitted: admitted === 1, debt };
  }

  private get reason(): unknown {
    return this.connection.isReady ? this.lastFailure : this.connection.lastError;
  }

  private async probe(): Promise<void> {
    const answered =
      this.connection.isReady && (await this.take('probe', PROBE, debtAtStart(PROBE)).then(Boolean, () => false));
    this.failedProbes = answered ? 0 : this.failedProbes + 1;
    this.logChange();
    if (this.failedProbes > 0 && this.failedProbes % PROBES_TO_RECONNECT === 0) this.connection.renew();
  }

  private logChange(): void {
    const { isAvailable } = this;
    if (isAvailable === this.wasAvailable) return;
    this.wasAvailable = isAvailable;
    if (isAvailable) this.logger.log('Redis answers: it counts the requests of all gateways');
    else {
      const message = `Redis does not answer: this process counts requests itself. ${redisHint(this.reason) ?? ''}`;
      this.logger.warn(message.trimEnd(), this.reason);
    }
  }
}
