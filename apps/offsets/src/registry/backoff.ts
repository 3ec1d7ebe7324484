/**
 * An exponential backoff, in milliseconds: the delay starts at `initialMs`, doubles after each failure, and never exceeds
 * `maxMs`.
 */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Bounds the exponent; after this many doublings every delay exceeds `maxMs`. */
const MAX_DOUBLINGS = 30;

/**
 * Returns the pause after the `failures`-th failure in a row (from 1), with jitter over its upper half, so that callers
 * that failed together do not retry together. `random` is in [0, 1).
 */
export function pauseAfter(failures: number, { initialMs, maxMs }: Backoff, random = Math.random()): number {
  const delayMs = Math.min(maxMs, initialMs * 2 ** Math.min(Math.max(failures, 1) - 1, MAX_DOUBLINGS));
  return Math.round(delayMs * (0.5 + random / 2));
}
