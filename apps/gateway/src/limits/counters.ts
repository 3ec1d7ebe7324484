import type { RedisCounters } from './redis-counters.js';
import { type Decision, debtAtStart, depthOf, type Limit, take } from './token-bucket.js';

/** Full buckets that are dropped for each new one, so that the table shrinks under low load. */
const SWEEP_STEPS = 2;
/** The same when the table is full. */
const FULL_SWEEP_STEPS = 16;

/** The options of {@link LocalCounters}. */
interface LocalCountersOptions {
  /** The maximum number of buckets. */
  readonly maxBuckets: number;
  /** A monotonic clock in microseconds; the process's own unless given. */
  readonly now?: () => number;
}

/**
 * Token buckets in memory. Full buckets are dropped, because a full one equals a new one. Unknown callers get less: in
 * a new process each bucket starts with a quarter of its burst, and when the table is full all further callers share one
 * bucket.
 */
export class LocalCounters {
  /** When each bucket is full again. Entries are updated in place: to delete and insert would reallocate the table. */
  private readonly fullAt = new Map<string, number>();
  private sweep = this.fullAt.entries();
  private readonly maxBuckets: number;
  private readonly now: () => number;
  private readonly startedAt: number;
  private overflowFullAt = Number.NEGATIVE_INFINITY;

  constructor({ maxBuckets, now = microseconds }: LocalCountersOptions) {
    this.maxBuckets = maxBuckets;
    this.now = now;
    this.startedAt = now();
  }

  /** The number of buckets. */
  get size(): number {
    return this.fullAt.size;
  }

  /** The current time, to pass to `recordDebt` with a later answer of Redis. */
  get time(): number {
    return this.now();
  }

  /** Takes one request from a bucket. */
  take(bucket: string, limit: Limit): Decision {
    const now = this.now();
    const decision = take(this.debtAt(now, bucket, limit), limit);
    if (decision.admitted) this.store(bucket, now + decision.debt, now);
    return decision;
  }

  /** Returns the debt of a bucket as far as this process knows. When the table is full, the shared bucket says nothing of one caller. */
  debtOf(bucket: string, limit: Limit): number {
    const now = this.now();
    return this.fullAt.has(bucket) ? this.debtAt(now, bucket, limit) : this.debtOfNew(now, limit);
  }

  /** Stores a debt that Redis reported. `requestedAt` is the time of the call: some of the debt may be paid off since. */
  recordDebt(bucket: string, debt: number, requestedAt: number): void {
    this.store(bucket, requestedAt + debt, this.now());
  }

  private debtAt(now: number, bucket: string, limit: Limit): number {
    const fullAt = this.fullAt.get(bucket);
    if (fullAt !== undefined) {
      const fullAtLatest = now + depthOf(limit);
      // The limit has become smaller. A refusal stores nothing, so the excess would remain.
      if (fullAt > fullAtLatest) this.fullAt.set(bucket, fullAtLatest);
      return Math.max(0, Math.min(fullAt, fullAtLatest) - now);
    }
    if (this.fullAt.size >= this.maxBuckets) return Math.max(0, this.overflowFullAt - now);
    return this.debtOfNew(now, limit);
  }

  private debtOfNew(now: number, limit: Limit): number {
    return Math.max(0, this.startedAt + debtAtStart(limit) - now);
  }

  private store(bucket: string, fullAt: number, now: number): void {
    if (this.fullAt.has(bucket) || this.hasRoom(now)) this.fullAt.set(bucket, fullAt);
    else this.overflowFullAt = fullAt;
  }

  private hasRoom(now: number): boolean {
    this.dropFull(now, this.fullAt.size >= this.maxBuckets ? FULL_SWEEP_STEPS : SWEEP_STEPS);
    return this.fullAt.size < this.maxBuckets;
  }

  private dropFull(now: number, steps: number): void {
    for (let step = 0; step < steps; step += 1) {
      const { value, done } = this.sweep.next();
      if (done) this.sweep = this.fullAt.entries();
      else if (value[1] <= now) this.fullAt.delete(value[0]);
    }
  }
}

/** A decision, and the counters that made it. */
export interface CountedDecision extends Decision {
  readonly by: 'local' | 'redis';
}

/**
 * Counts in Redis while it answers, else in this process. The process keeps what Redis reports: it continues from there when Redis is
 * down, and refuses without a call what Redis would refuse.
 */
export class Counters {
  constructor(
    private readonly local: LocalCounters,
    private readonly redis?: RedisCounters,
  ) {}

  /** The number of buckets in this process. */
  get size(): number {
    return this.local.size;
  }

  /** Takes one request from a bucket; returns a promise only where Redis is called. */
  take(bucket: string, limit: Limit): CountedDecision | Promise<CountedDecision> {
    const { redis } = this;
    if (redis === undefined || !redis.isAvailable) return this.takeLocal(bucket, limit);
    const debt = this.local.debtOf(bucket, limit);
    const decision = take(debt, limit);
    if (!decision.admitted) return { ...decision, by: 'local' };
    return this.takeFromRedis(redis, bucket, limit, debt);
  }

  private async takeFromRedis(redis: RedisCounters, bucket: string, limit: Limit, debt: number) {
    const requestedAt = this.local.time;
    try {
      const decision = await redis.take(bucket, limit, debt);
      this.local.recordDebt(bucket, decision.debt, requestedAt);
      return { ...decision, by: 'redis' } as const;
    } catch {
      return this.takeLocal(bucket, limit);
    }
  }

  private takeLocal(bucket: string, limit: Limit): CountedDecision {
    return { ...this.local.take(bucket, limit), by: 'local' };
  }
}

function microseconds(): number {
  return Math.floor(performance.now() * 1_000);
}
