import { setTimeout as delay } from 'node:timers/promises';
import { DeadlineExceeded } from '@carbon/observability';

export { DeadlineExceeded };

/** After this many doublings every delay exceeds `maxMs`, and is still finite. */
const MAX_DOUBLINGS = 30;

/** Bounds of an exponential backoff: the first delay, doubled at each failure up to the last. Milliseconds. */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

/**
 * Returns the delay after the `failures`-th failure in a row (from 1), with jitter over its upper half so that clients that
 * failed together do not retry together. `random` is in [0, 1).
 */
export function backoffMs(failures: number, { initialMs, maxMs }: Backoff, random = Math.random()): number {
  const full = Math.min(maxMs, initialMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS));
  return Math.round(full * (0.5 + random / 2));
}

/** Sleeps, or returns early when the signal is aborted: the caller looks at the signal instead of catching an error. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await delay(ms, undefined, { ...(signal && { signal }) }).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}

/** Returns the outcome of `work`. kafkajs has promises that never settle. @throws DeadlineExceeded after `ms` */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return withIdleTimeout(ms, () => work);
}

/** Resolves when the work has settled, whatever its outcome, or after `ms`. */
export async function settledWithin(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  await withTimeout(ms, Promise.resolve(work)).catch(() => {});
}

/** Does the work. @throws DeadlineExceeded when it does not call `onActivity` for `idleMs` */
export function withIdleTimeout<T>(idleMs: number, work: (onActivity: () => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // A bare timer: it is set for every batch, and an AbortSignal costs twenty times as much.
    const timer = setTimeout(() => reject(new DeadlineExceeded(`no answer for ${idleMs / 1_000} s`)), idleMs);
    work(() => timer.refresh())
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
