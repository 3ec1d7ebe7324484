import { depthOf, intervalOf, type Limit } from './bucket.js';

/**
 * The same step as `take` of the bucket, done by Redis: one request, one script, which nothing comes between. The time is
 * the server's, for gateways' clocks differ. What the gateway knows of the bucket counts where the server knows nothing:
 * one that has come back empty gives nobody a burst again. What is kept goes by itself when the bucket is full.
 * KEYS[1] the bucket; ARGV the interval, the depth, the debt as the gateway knows it. Microseconds. Needs Redis 5.
 */
export const TAKE_SCRIPT = `
local interval, depth, known = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full_at = tonumber(redis.call('GET', KEYS[1]) or '') or now + known
local debt = math.min(math.max(full_at - now, 0), depth)
if debt + interval > depth then return {0, debt} end
debt = debt + interval
redis.call('SET', KEYS[1], string.format('%.0f', now + debt), 'PX', math.ceil(debt / 1000))
return {1, debt}
`;

/** What the script is asked with. */
export function takeArguments(limit: Limit, known: number): string[] {
  return [intervalOf(limit), depthOf(limit), Math.round(known)].map(String);
}
