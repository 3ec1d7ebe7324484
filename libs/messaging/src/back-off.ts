import { setTimeout as sleep } from 'node:timers/promises';

/** Growing pauses: the first, doubled at each failure, never more than the last. Milliseconds. */
export interface BackOff {
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * The pause after the `failures`-th failure in a row (from 1), spread over its upper half so that many who failed
 * together do not come back together. `random` is in [0, 1).
 */
export function pauseAfter(failures: number, { firstMs, lastMs }: BackOff, random = Math.random()): number {
  const whole = Math.min(lastMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(whole * (0.5 + random / 2));
}

/** The outcome of `work`, or an error when it takes longer: kafkajs has promises that never settle. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // A bare timer: it is set for every batch, and a signal to end a pause with costs twenty times as much.
    const late = setTimeout(() => reject(new Error(`No outcome within ${ms} ms.`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

/** Sleeps, or returns at once when the signal is given: whoever waits looks at the signal, not at an exception. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await sleep(ms, undefined, { ...(signal && { signal }) }).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
