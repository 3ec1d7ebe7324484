/** A rate limit. The rate may be a fraction; the burst is whole, and at least 1. */
export interface Limit {
  /** Requests a second on average. */
  readonly perSecond: number;
  /** Requests at once. */
  readonly burst: number;
}

/** The outcome of one request at a bucket. */
export interface Decision {
  readonly admitted: boolean;
  /** The bucket's debt after the request; a refused request adds nothing. */
  readonly debt: number;
}

const SECOND = 1_000_000;

/** Returns the time one request is worth: whole microseconds, rounded up, so that no rate is ever exceeded. */
export function intervalOf({ perSecond }: Limit): number {
  return Math.ceil(SECOND / perSecond);
}

/** Returns the debt of an empty bucket. */
export function depthOf(limit: Limit): number {
  return intervalOf(limit) * limit.burst;
}

/** Returns the seconds, whole and at least one, in which an empty bucket fills. */
export function secondsToFill(limit: Limit): number {
  return Math.max(1, Math.ceil(depthOf(limit) / SECOND));
}

/**
 * Takes one request from a token bucket (GCRA, the generic cell rate algorithm of ITU-T I.371). A bucket is one number, its
 * debt: the microseconds until it is full again. A debt out of bounds, after a clock or a limit was set, counts as the nearest bound.
 */
export function take(debt: number, limit: Limit): Decision {
  const depth = depthOf(limit);
  const owed = Math.min(Math.max(debt, 0), depth);
  const next = owed + intervalOf(limit);
  return next <= depth ? { admitted: true, debt: next } : { admitted: false, debt: owed };
}

/** Returns how many requests a bucket still admits at once. */
export function remaining(debt: number, limit: Limit): number {
  return Math.max(0, Math.floor((depthOf(limit) - debt) / intervalOf(limit)));
}

/** Returns the seconds, whole and at least one, until a bucket admits one more request. */
export function secondsToNext(debt: number, limit: Limit): number {
  const interval = intervalOf(limit);
  const due = (depthOf(limit) - debt) % interval;
  const wait = remaining(debt, limit) > 0 ? interval - due : debt + interval - depthOf(limit);
  return Math.max(1, Math.ceil(wait / SECOND));
}

/** Returns the debt of an unknown bucket in a process that has just started: a quarter of the burst is available. */
export function debtAtStart(limit: Limit): number {
  return intervalOf(limit) * (limit.burst - Math.max(1, Math.floor(limit.burst / 4)));
}
