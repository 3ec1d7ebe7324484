import { eventually, freshPrefix } from '@carbon/testing';
import { Counters, LocalCounters } from '../limits/counters.js';
import { RedisCounters, type RedisCountersOptions } from '../limits/redis-counters.js';
import type { Limit } from '../limits/token-bucket.js';

/** One a second, so that few requests are regained during a test compared to the burst. */
export const LIMIT: Limit = { perSecond: 1, burst: 40 };

/** Creates counters that are closed after the tests of the file. Their timeouts are long enough for a busy machine. */
export function redisCounters(settings: Pick<RedisCountersOptions, 'url'> & Partial<RedisCountersOptions>) {
  const counters = new RedisCounters({ prefix: freshPrefix(), timeoutMs: 10_000, probeIntervalMs: 200, ...settings });
  made.push(counters);
  return counters;
}

const made: RedisCounters[] = [];
afterAll(() => {
  for (const counters of made) counters.onApplicationShutdown();
});

/** The same, once they are connected. */
export async function connectedCounters(...[settings]: Parameters<typeof redisCounters>): Promise<RedisCounters> {
  const counters = redisCounters(settings);
  await eventually(() => counters.checkHealth());
  return counters;
}

/**
 * The counters of a gateway: Redis with the process's own as fallback, which have run for so long that their buckets
 * are full.
 */
export function withOwn(redis: RedisCounters): Counters {
  let begun = false;
  const now = () => {
    const time = Math.floor(performance.now() * 1_000);
    const isFirst = !begun;
    begun = true;
    return isFirst ? time - 3_600_000_000 : time;
  };
  return new Counters(new LocalCounters({ maxBuckets: 1_000, now }), redis);
}

/** Returns how many of `count` simultaneous requests are admitted. */
export async function countAdmitted(counters: Counters, bucket: string, count: number, limit = LIMIT): Promise<number> {
  const all = await Promise.all(Array.from({ length: count }, () => counters.take(bucket, limit)));
  return all.filter((counted) => counted.admitted).length;
}

/** Call it before 35 requests are admitted. Returns how many more may be admitted by now, including regained ones. */
export function leftOf35(): () => number {
  const begun = performance.now();
  return () => LIMIT.burst - 35 + Math.ceil(((performance.now() - begun) / 1_000) * LIMIT.perSecond);
}
