import pg from 'pg';
import { databaseAdvice, databaseReason } from '../persistence/database-errors.js';

const CONNECT_MS = 5_000;
/** A whole table may have to be read, however large: an operator waits, or ends it. Limits of the role or the server do not count. */
const NO_LIMITS = `SELECT set_config(name, '0', true) FROM unnest(ARRAY[
  'statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout']) AS name`;

/** The database could not be asked, so nothing is known about the ledger. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Runs one statement in the snapshot. */
export type Ask = <Row extends object>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** Lends one unchanging view of the database: everything asked within sees the same moment, and nothing is written. */
export async function inSnapshot<T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const session = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'offsets ledger',
  });
  // Unheard, an error between two statements would end the process; the next statement says it as well.
  session.on('error', () => {});
  const answered = <T>(answer: Promise<T>, otherwise = '') =>
    answer.catch((cause: Error) => {
      const advice = databaseAdvice(cause) ?? otherwise;
      throw new NoAnswer(`The database could not be asked: ${databaseReason(cause)}. ${advice}`.trim(), { cause });
    });
  try {
    await answered(session.connect(), 'Is PostgreSQL running, and does DATABASE_URL name it?');
    await answered(session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
    // Not as start-up parameters, which a pooler would refuse.
    await answered(session.query(NO_LIMITS));
    return await work(async (sql, parameters) => (await answered(session.query(sql, parameters))).rows);
  } finally {
    await session.end().catch(() => {});
  }
}
