import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, EXIT, UnavailableError } from '@carbon/terminal';
import pg from 'pg';
import { databaseHint, databaseReason } from '../persistence/database-errors.js';

const CONNECT_MS = 5_000;
const RETRY_MS = 500;
/**
 * A whole table may have to be read, however large: the operator waits, or ends it. Limits of the role or the server do
 * not apply.
 */
const NO_LIMITS = `SELECT set_config(name, '0', true) FROM unnest(ARRAY[
  'statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout']) AS name`;

/** Runs one statement in the snapshot. */
export type Query = <Row extends object>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/**
 * Runs work in one read-only snapshot of the database.
 *
 * @throws UnavailableError when PostgreSQL does not answer: nothing is known about the ledger
 */
export async function inSnapshot<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const session = ledgerSession(url, { keepAlive: true });
  const answered = <T>(answer: Promise<T>, otherwise = '') =>
    answer.catch((cause: Error) => {
      const hint = databaseHint(cause) ?? otherwise;
      throw new UnavailableError(`The database cannot be read: ${databaseReason(cause)}. ${hint}`.trim());
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

/**
 * Resolves when PostgreSQL answers, or the time is over: the next query then explains why not. A wrong setting is not
 * waited for.
 */
export async function reachDatabase(url: string, timeoutMs: number, onWait: (sentence: string) => void): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let failures = 1; ; failures += 1) {
    const session = ledgerSession(url);
    try {
      await session.connect();
      await session.end();
      return;
    } catch (error) {
      if (databaseHint(error) !== undefined || performance.now() >= deadline) return;
    }
    if (failures === 1) onWait(`PostgreSQL does not answer yet; waiting up to ${timeoutMs / 1_000} s for it.`);
    await sleep(RETRY_MS);
  }
}

/** Returns a session that is not connected yet. @throws CommandError if DATABASE_URL cannot be used */
export function ledgerSession(url: string, options: pg.ClientConfig = {}): pg.Client {
  const session = newClient({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'offsets ledger',
    ...options,
  });
  // Without a listener, an error between two statements would end the process; the next statement reports it as well.
  session.on('error', () => {});
  return session;
}

/** The constructor parses the URL and reads the files that it names. */
function newClient(config: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(config);
  } catch (cause) {
    const hint = databaseHint(cause) ?? '';
    throw new CommandError(`DATABASE_URL cannot be used: ${databaseReason(cause)}. ${hint}`.trim(), EXIT.config);
  }
}
