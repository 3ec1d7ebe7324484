import { type Limit, type Taken, take } from './bucket.js';
import type { OwnCounters } from './own-counters.js';
import type { RedisCounters } from './redis-counters.js';

/** What became of a request, and who counted it. */
export interface Counted extends Taken {
  readonly by: 'own' | 'redis';
}

/**
 * Who decides about a request: Redis where there is one and it answers, else the process itself. What Redis says the
 * process learns, so that it goes on from there when Redis is away, and refuses without asking whom Redis would refuse.
 */
export class Counters {
  constructor(
    private readonly own: OwnCounters,
    private readonly redis?: RedisCounters,
  ) {}

  /** How many buckets this process keeps. */
  get size(): number {
    return this.own.size;
  }

  /** Takes one request from a bucket; a promise only where Redis is asked. */
  take(bucket: string, limit: Limit): Counted | Promise<Counted> {
    const { redis } = this;
    if (redis === undefined || !redis.answers) return this.takeOwn(bucket, limit);
    const known = this.own.debtOf(bucket, limit);
    const sure = take(known, limit);
    if (!sure.admitted) return { ...sure, by: 'own' };
    return this.ask(redis, bucket, limit, known);
  }

  private async ask(redis: RedisCounters, bucket: string, limit: Limit, known: number): Promise<Counted> {
    const askedAt = this.own.time;
    try {
      const taken = await redis.take(bucket, limit, known);
      this.own.learn(bucket, taken.debt, askedAt);
      return { ...taken, by: 'redis' };
    } catch {
      return this.takeOwn(bucket, limit);
    }
  }

  private takeOwn(bucket: string, limit: Limit): Counted {
    return { ...this.own.take(bucket, limit), by: 'own' };
  }
}
