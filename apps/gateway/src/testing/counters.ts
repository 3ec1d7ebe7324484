import { eventually, freshPrefix } from '@carbon/testing';
import type { Limit } from '../edge/limits/bucket.js';
import { Counters } from '../edge/limits/counters.js';
import { OwnCounters } from '../edge/limits/own-counters.js';
import { RedisCounters, type RedisCountersSettings } from '../edge/limits/redis-counters.js';

/** One a second, so that what comes back during a test is little beside the burst. */
export const LIMIT: Limit = { perSecond: 1, burst: 40 };

/** Makes counters that are closed after the tests of the file. No answer is late because the machine is busy. */
export function redisCounters(settings: Pick<RedisCountersSettings, 'url'> & Partial<RedisCountersSettings>) {
  const counters = new RedisCounters({ prefix: freshPrefix(), deadlineMs: 10_000, lookEveryMs: 200, ...settings });
  made.push(counters);
  return counters;
}

const made: RedisCounters[] = [];
afterAll(() => {
  for (const counters of made) counters.close();
});

/** The same, once they are connected. */
export async function connectedCounters(...[settings]: Parameters<typeof redisCounters>): Promise<RedisCounters> {
  const counters = redisCounters(settings);
  await eventually(() => counters.check());
  return counters;
}

/** The counters of a gateway: Redis, and the process's own beside it, which have run for so long that their buckets are full. */
export function withOwn(redis: RedisCounters): Counters {
  let begun = false;
  const now = () => {
    const time = Math.floor(performance.now() * 1_000);
    const isFirst = !begun;
    begun = true;
    return isFirst ? time - 3_600_000_000 : time;
  };
  return new Counters(new OwnCounters({ most: 1_000, now }), redis);
}

/** How many of so many requests at once are admitted. */
export async function admitted(counters: Counters, bucket: string, count: number, limit = LIMIT): Promise<number> {
  const all = await Promise.all(Array.from({ length: count }, () => counters.take(bucket, limit)));
  return all.filter((counted) => counted.admitted).length;
}

/** To be called before 35 are admitted. Returns how many more may be by now, with those that came back meanwhile. */
export function leftOf35(): () => number {
  const begun = performance.now();
  return () => LIMIT.burst - 35 + Math.ceil(((performance.now() - begun) / 1_000) * LIMIT.perSecond);
}
