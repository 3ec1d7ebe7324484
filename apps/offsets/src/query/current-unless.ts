import type { OffsetStatus } from '@carbon/contracts';
import { RequestError } from '@carbon/http';
import type { OwnRows } from '../persistence/own-rows.js';

/**
 * What `find` finds. An answer that is final is true of any state of the database; every other one, that nothing is recorded
 * included, may be wrong on an older one. @throws FenceLost where it is not known that this is none
 */
export async function currentUnless<T>(
  isFinal: (found: T) => boolean,
  rows: OwnRows,
  find: () => Promise<T>,
): Promise<T> {
  const found = await find().catch(async (error: unknown) => {
    if (error instanceof RequestError) await rows.mustBeCurrent();
    throw error;
  });
  if (!isFinal(found)) await rows.mustBeCurrent();
  return found;
}

/** Whether nothing about an offset changes any more. */
export function isFinished(status: OffsetStatus): boolean {
  return status === 'completed' || status === 'failed';
}
