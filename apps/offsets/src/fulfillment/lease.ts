import { setTimeout as sleep } from 'node:timers/promises';
import { PRODUCER_LIMITS } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { Query } from '../persistence/database.js';

/** How long a worker may be silent before another takes over what it held, by the database's clock. */
export const LEASE_SECONDS = 8;
const RENEW_MS = 2_000;
/** For how long after a statement what it gave may be acted on; well within the lease. */
const USED_WITHIN_MS = 6_000;
/** How long after the statement that gave an event it may leave at the latest; recovery waits for longer. */
export const LEAVES_WITHIN_MS = USED_WITHIN_MS + PRODUCER_LIMITS.deadlineMs;

/**
 * Whether what a statement gave must not be acted on outside of the database any more. A process that sleeps (SIGSTOP) learns late
 * what it was given: others may have taken it over since, or an older database may have been put in place.
 * @param sentAt when the statement was sent, ms of `performance.now()`
 */
export function isStale(sentAt: number): boolean {
  return performance.now() - sentAt > USED_WITHIN_MS;
}

/** The statement that finds a lease may have begun this long before the one that gave it. */
const STATEMENTS_APART_SECONDS = 60;

/**
 * SQL: whether a lease ends later than any that is given now, less a minute. It was given before the server's clock was set
 * back, and would last until the clock is there again. @param longestSeconds the longest that such a lease may last
 */
export function leaseIsAhead(longestSeconds: number = LEASE_SECONDS, column = 'lease_until'): string {
  return `${column} > now() + interval '${longestSeconds + STATEMENTS_APART_SECONDS} s'`;
}

const logger = new Logger('Lease');

/**
 * Does `work` while the rows of `table` that are held under `token` are kept held. A lease that ran out is not taken up
 * again: every later write asks for the token, so a worker that slept through its lease changes nothing.
 */
export async function holding<T>(
  query: Query,
  table: 'offsets' | 'outbox',
  token: string,
  keys: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const renewing = renew(query, table, token, keys, done.signal);
  try {
    return await work();
  } finally {
    done.abort();
    await renewing;
  }
}

/**
 * What somebody has locked is left for the next time: it is being settled, and whoever waits for one row while it holds
 * others may be waited for in turn. A lease outlasts several renewals.
 */
async function renew(query: Query, table: string, token: string, keys: readonly string[], done: AbortSignal) {
  const key = table === 'offsets' ? 'id' : 'event_id';
  const sql = `UPDATE ${table} SET lease_until = now() + interval '${LEASE_SECONDS} s'
    WHERE lease_token = $2 AND ${key} = ANY (ARRAY(
      SELECT ${key} FROM ${table} WHERE ${key} = ANY ($1) AND lease_token = $2 AND lease_until > now()
      ORDER BY ${key} FOR UPDATE SKIP LOCKED
    ))`;
  while (await elapsed(RENEW_MS, done)) {
    await query(sql, [keys, token]).catch((error: unknown) => logger.warn(`A lease was not renewed: ${error}`));
  }
}

/** Whether the time went by before the signal. */
async function elapsed(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(milliseconds, true, { signal }).catch(() => false);
}
