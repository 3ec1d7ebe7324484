import { waitUntil } from '@carbon/local';
import type { FreshDatabase } from '../stage.js';

/** A condition of a database as SQL, whose one row has the column `so`. */
export interface Condition {
  readonly sql: string;
  readonly parameters?: readonly unknown[];
}

/** An offset is recorded. */
export const RECORDED: Condition = { sql: 'SELECT EXISTS (SELECT FROM offsets) AS so' };

/** No event waits for its publication. */
export const PUBLISHED: Condition = {
  sql: 'SELECT NOT EXISTS (SELECT FROM outbox WHERE published_at IS NULL) AS so',
};

/** Returns the condition that this many grams are retired: they count when the rest of their offset is written. */
export function retiredAtLeast(grams: bigint): Condition {
  // A few hundred assets are quick to query.
  return { sql: 'SELECT coalesce(sum(retired), 0) >= $1 AS so FROM supply', parameters: [grams] };
}

const POLL_MS = 20;
const TIMEOUT_MS = 480_000;

/** Resolves with the time when the condition holds. @throws Error if it does not within 8 minutes */
export async function until(
  database: FreshDatabase,
  { sql, parameters = [] }: Condition,
  signal: AbortSignal,
): Promise<number> {
  const holds = async () => {
    signal.throwIfAborted();
    return (await database.one<{ so: boolean }>(sql, parameters)).so;
  };
  if (await waitUntil(holds, TIMEOUT_MS, POLL_MS)) return performance.now();
  throw new Error(`Not so within ${TIMEOUT_MS / 1000} s: ${sql}`);
}
