import { type OffsetStatus, timeInId } from '@carbon/contracts';
import { RequestError } from '@carbon/http';
import type { RecordedSignal } from '../fulfillment/wake-signal.js';
import type { OwnRows } from '../persistence/own-rows.js';

/**
 * When a lookup is repeated, in milliseconds after the first: most accepted offsets are recorded within some hundredths of
 * a second. An offset that this process records is looked up at once.
 */
const LOOKUPS_MS = [20, 60, 120, 250, 500, 750, 1_000];

/** An offset whose id contains an older time is looked up only once. The margin covers clocks that differ. */
const MAX_UNRECORDED_MS = 10_000;

/**
 * Returns what `find` finds, or undefined. Waits up to 1 s for an offset that is not recorded yet; queries once where the id is old,
 * because a client could otherwise hold a lookup for a second with each id that was never accepted.
 */
export async function awaitRecorded<T>(
  recorded: RecordedSignal,
  id: string,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const begin = performance.now();
  const found = await find();
  if (found !== undefined || isOld(id)) return found;
  for (const after of LOOKUPS_MS) {
    await recorded.wait(id, Math.max(0, after - (performance.now() - begin)));
    const later = await find();
    if (later !== undefined) return later;
  }
  return undefined;
}

/**
 * Returns what was found. A final answer is true of any state of the database; every other one, including that nothing is
 * recorded, may be wrong on an older database.
 * @throws RequestError `not_found`; FenceLost if it is not final and the database is not the verified one
 */
export async function requireCurrent<T>(
  rows: OwnRows,
  found: T | undefined,
  isFinal: (found: T) => boolean,
): Promise<T> {
  if (found === undefined || !isFinal(found)) await rows.requireCurrentDatabase();
  if (found === undefined) throw new RequestError('not_found', 'No offset is recorded under this id.');
  return found;
}

/** Whether an offset with this status never changes again. */
export function isFinalStatus(status: OffsetStatus): boolean {
  return status === 'completed' || status === 'failed';
}

function isOld(id: string): boolean {
  const time = timeInId(id);
  return time !== undefined && time < Date.now() - MAX_UNRECORDED_MS;
}
