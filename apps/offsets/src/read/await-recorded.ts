import { setTimeout as sleep } from 'node:timers/promises';
import { UserFault } from '@carbon/faults';

/** Looks, in milliseconds after the first: an accepted offset is on its way here, mostly for some hundredths of a second. */
const LOOKS = [0, 20, 60, 120, 250, 500, 750, 1_000];

/** What is found of an offset; waits for one that is not recorded yet, at most 1 s, then UserFault `not_found`. */
export async function awaitRecorded<T>(look: () => Promise<T | undefined>): Promise<T> {
  const begin = performance.now();
  for (const after of LOOKS) {
    await sleep(Math.max(0, after - (performance.now() - begin)));
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new UserFault('not_found', 'No offset is recorded under this id.');
}
