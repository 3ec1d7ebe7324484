import { setTimeout as sleep } from 'node:timers/promises';
import { PRODUCER_LIMITS } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { OffsetRow } from '../domain/offset-row.js';
import type { Query } from '../persistence/database.js';
import { OFFSET_COLUMNS, type StoredOffset, toOffsetRow } from '../persistence/offset-rows.js';

/** How long a lease lasts unless it is renewed, by the database's clock. Then another worker may claim the row. */
export const LEASE_SECONDS = 8;
const RENEW_MS = 1_500;
/** The maximum age of a statement's result that is acted on: the first renewal comes `RENEW_MS` later, within the lease. */
const MAX_RESULT_AGE_MS = 6_000;
/** An event leaves the process within this time after the statement that inserted or claimed it; recovery waits longer. */
export const MAX_PUBLISH_DELAY_MS = MAX_RESULT_AGE_MS + PRODUCER_LIMITS.deadlineMs;

/**
 * Returns whether the result of a statement is too old to act on outside of the database. A process that was suspended (SIGSTOP)
 * gets results late: others may have claimed the rows since, or an older database may have been put in place.
 * @param sentAt when the statement was sent, ms of `performance.now()`
 */
export function isStale(sentAt: number): boolean {
  return performance.now() - sentAt > MAX_RESULT_AGE_MS;
}

/** A statement that reads a lease may have started this long before the statement that wrote it. */
const STATEMENT_START_TOLERANCE_SECONDS = 60;

/**
 * SQL: whether a lease ends more than a minute later than any lease granted now could end. It was granted before the server's
 * clock was set back, and would last until the clock catches up. @param longestSeconds the longest such lease
 */
export function leaseIsAhead(longestSeconds: number = LEASE_SECONDS, column = 'lease_until'): string {
  return `${column} > now() + interval '${longestSeconds + STATEMENT_START_TOLERANCE_SECONDS} s'`;
}

/** An offset and the fencing token of the lease under which a worker claimed it. */
export interface LeasedOffset {
  readonly offset: string;
  readonly token: string;
}

/**
 * The statement of {@link lockLeased}. It also names the ids alone: with sorting avoided, the planner would scan the whole index for
 * the join, to get its order.
 */
export const LOCK_LEASED_SQL = `SELECT ${OFFSET_COLUMNS} FROM offsets
  JOIN unnest($1::text[], $2::uuid[]) AS leased (id, token) ON offsets.id = leased.id AND lease_token = leased.token
  WHERE offsets.id = ANY ($1) ORDER BY offsets.id FOR UPDATE OF offsets`;

/** Locks those offsets that still have these leases, in the order of their ids, as every writer does, and returns them. */
export async function lockLeased(query: Query, leased: readonly LeasedOffset[]): Promise<OffsetRow[]> {
  const rows = await query<StoredOffset>(LOCK_LEASED_SQL, [
    leased.map(({ offset }) => offset),
    leased.map(({ token }) => token),
  ]);
  return rows.map(toOffsetRow);
}

/**
 * Ends these leases. Each offset is due again after its wait, by the database's clock: any process may claim it then.
 * Returns how many offsets still had their lease.
 */
export async function releaseLeases(
  query: Query,
  leased: readonly (LeasedOffset & { readonly waitMs: number })[],
): Promise<number> {
  const rows = await lockLeased(query, leased);
  await query(
    `UPDATE offsets SET lease_token = gen_random_uuid(), lease_until = now() + released.wait * interval '1 ms'
     FROM unnest($1::text[], $2::uuid[], $3::integer[]) AS released (id, token, wait)
     WHERE offsets.id = released.id AND lease_token = released.token`,
    [leased.map(({ offset }) => offset), leased.map(({ token }) => token), leased.map(({ waitMs }) => waitMs)],
  );
  return rows.length;
}

const logger = new Logger('Lease');

/**
 * Runs `work` and renews the lease of rows of `table` meanwhile. A lease that ran out is not renewed. Every later write checks
 * the fencing token, so a worker that was suspended past its lease changes nothing.
 */
export async function withLease<T>(
  query: Query,
  table: 'offsets' | 'outbox',
  token: string,
  keys: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const key = table === 'offsets' ? 'id' : 'event_id';
  // Skips locked rows: their outcome is being written, and waiting for one row with others locked could deadlock.
  const sql = `UPDATE ${table} SET lease_until = now() + interval '${LEASE_SECONDS} s'
    WHERE lease_token = $2 AND ${key} = ANY (ARRAY(
      SELECT ${key} FROM ${table} WHERE ${key} = ANY ($1) AND lease_token = $2 AND lease_until > now()
      ORDER BY ${key} FOR UPDATE SKIP LOCKED
    ))`;
  const renew = () =>
    query(sql, [keys, token]).catch((error: unknown) => logger.warn(`A lease was not renewed: ${error}`));
  return whileRepeating(RENEW_MS, renew, work);
}

/** Runs `work`, and `renew` at an interval meanwhile; resolves when `work` has ended and no renewal is running. @param renew must not reject */
export async function whileRepeating<T>(
  everyMs: number,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const renewing = (async () => {
    while (await sleep(everyMs, true, { signal: done.signal }).catch(() => false)) await renew();
  })();
  try {
    return await work();
  } finally {
    done.abort();
    await renewing;
  }
}
