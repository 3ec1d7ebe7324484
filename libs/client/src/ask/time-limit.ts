/** Work that was not done in time. */
export const OUT_OF_TIME: unique symbol = Symbol('out of time');

/**
 * Does the work, unless it takes longer than `ms` or the caller's signal goes: then the work's own signal goes, and
 * nobody waits for it, whether it heeds that or not.
 *
 * @throws the reason of the caller's signal
 */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | typeof OUT_OF_TIME> {
  signal?.throwIfAborted();
  const own = new AbortController();
  let stop = () => {};
  const stopped = new Promise<typeof OUT_OF_TIME>((resolve, reject) => {
    const timer = setTimeout(() => resolve(OUT_OF_TIME), ms);
    const left = () => reject(signal?.reason);
    signal?.addEventListener('abort', left, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', left);
      own.abort();
    };
  });
  try {
    return await Promise.race([stopped, work(own.signal)]);
  } finally {
    stop();
  }
}

/** Waits. @throws the reason of the signal when it goes */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await withinTime(ms, signal, () => new Promise<never>(() => {}));
}
