import { setTimeout as sleep } from 'node:timers/promises';
import { timeInId } from '@carbon/contracts';
import { RequestError } from '@carbon/http';

/** Looks, in milliseconds after the first: an accepted offset is on its way here, mostly for some hundredths of a second. */
const LOOKS = [0, 20, 60, 120, 250, 500, 750, 1_000];

/** How old, in milliseconds, an id by time may be for its offset to be on its way still; the clocks of two machines differ. */
const YOUNG = 10_000;

/**
 * What is found of an offset; waits for one that is not recorded yet, at most 1 s, then RequestError `not_found`. For an old id it
 * looks once: an offset that was never accepted would else hold a look-up for a second each time it is asked for.
 */
export async function awaitRecorded<T>(id: string, look: () => Promise<T | undefined>): Promise<T> {
  const begin = performance.now();
  for (const after of isOld(id) ? [0] : LOOKS) {
    await sleep(Math.max(0, after - (performance.now() - begin)));
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new RequestError('not_found', 'No offset is recorded under this id.');
}

function isOld(id: string): boolean {
  const time = timeInId(id);
  return time !== undefined && time < Date.now() - YOUNG;
}
