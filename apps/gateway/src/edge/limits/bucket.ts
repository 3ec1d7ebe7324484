/** So many requests a second on average, so many at once. The rate may be a fraction; the burst is whole, and at least 1. */
export interface Limit {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * What became of a request at a bucket. A bucket is one number, its debt: in how many microseconds it will be full again
 * if nothing more is taken (the generic cell rate algorithm of ITU-T I.371, which is a token bucket without a clockwork).
 */
export interface Taken {
  readonly admitted: boolean;
  /** After the request; a refused one adds nothing. */
  readonly debt: number;
}

const SECOND = 1_000_000;

/** How long one request takes to be made good. Whole microseconds, rounded up, so that no rate is ever exceeded. */
export function intervalOf({ perSecond }: Limit): number {
  return Math.ceil(SECOND / perSecond);
}

/** The debt of an empty bucket. */
export function depthOf(limit: Limit): number {
  return intervalOf(limit) * limit.burst;
}

/**
 * Takes one request from a bucket. A debt that a bucket cannot have, because the clock was set or the limit has changed,
 * counts as the nearest that it can: too great a one is that of an empty bucket, which is served again after one interval.
 */
export function take(debt: number, limit: Limit): Taken {
  const depth = depthOf(limit);
  const owed = Math.min(Math.max(debt, 0), depth);
  const next = owed + intervalOf(limit);
  return next <= depth ? { admitted: true, debt: next } : { admitted: false, debt: owed };
}

/** How many requests a bucket still gives at once. */
export function remaining(debt: number, limit: Limit): number {
  return Math.max(0, Math.floor((depthOf(limit) - debt) / intervalOf(limit)));
}

/** In how many whole seconds, at least one, a bucket gives a further request. */
export function secondsToNext(debt: number, limit: Limit): number {
  const interval = intervalOf(limit);
  const due = (depthOf(limit) - debt) % interval;
  const wait = remaining(debt, limit) > 0 ? interval - due : debt + interval - depthOf(limit);
  return Math.max(1, Math.ceil(wait / SECOND));
}

/** The debt with which a bucket begins that nobody has seen yet in a process that has just begun: a quarter is there. */
export function debtAtStart(limit: Limit): number {
  return intervalOf(limit) * (limit.burst - Math.max(1, Math.floor(limit.burst / 4)));
}
