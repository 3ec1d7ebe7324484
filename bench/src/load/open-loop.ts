import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends requests at a steady rate, each at its planned time whatever became of earlier ones, and waits for all of them.
 * @param send gets the number of the request and its planned time, from which its latency counts
 * @returns how many were sent @throws the first error of `send`; no further request is sent
 */
export async function sendAtRate(
  perSecond: number,
  ms: number,
  send: (n: number, due: number) => Promise<void>,
): Promise<number> {
  const every = 1_000 / perSecond;
  const count = Math.round(ms / every);
  const begun = performance.now();
  const all: Promise<void>[] = [];
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  for (let n = 0; n < count; n += 1) {
    const due = begun + n * every;
    const early = due - performance.now();
    if (early > 0) await Promise.race([pause(early), failed.promise]);
    const one = send(n, due);
    one.catch(failed.reject);
    all.push(one);
  }
  await Promise.all(all);
  return count;
}
