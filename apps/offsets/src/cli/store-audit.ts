import { databaseReason } from '../persistence/database-errors.js';
import { ledgerSession, type Query } from './snapshot.js';

const STATEMENT_MS = 10_000;

/** Returns when the snapshot was taken, by the database's clock. */
export async function snapshotTime(query: Query): Promise<Date> {
  const [row] = await query<{ at: Date }>('SELECT now() AS at');
  return row?.at ?? new Date(0);
}

/**
 * Stores when an audit without an error read the database; the offsets service exports it. Returns the reason if it cannot be stored,
 * for example on a standby or by a role that may only read: the audit itself is valid there.
 */
export async function storeAudit(url: string, at: Date): Promise<string | undefined> {
  const session = ledgerSession(url, { query_timeout: STATEMENT_MS });
  try {
    await session.connect();
    await session.query('UPDATE database_state SET audited_at = greatest(audited_at, $1) WHERE single', [at]);
    return undefined;
  } catch (error) {
    return databaseReason(error);
  } finally {
    await session.end().catch(() => {});
  }
}
