import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { databaseHint, requireServer, SERVER_VERSION } from './database-errors.js';

/** The key of the advisory lock: the letters "migr". */
const LOCK_KEY = 0x6d_69_67_72;
/** For statements whose locks the service waits for; index builds have no limit. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 500;

/** The database did not respond in time. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/** How long a migration waits, in ms. */
export interface MigrationWaits {
  /** For the database. */
  readonly databaseMs?: number;
  /** For a statement that blocks the service. */
  readonly statementMs?: number;
  /** Between two calls of `onWait` while another process migrates. */
  readonly tellEveryMs?: number;
  readonly onWait?: (sentence: string) => void;
}

/**
 * Runs the pending migrations, each in its own transaction unless it declares that it cannot, one process at a time.
 * @returns their names
 * @throws DatabaseAway; ServerTooOld, because an older server accepts the migrations and not the statements of the service
 */
export async function migrate(url: string, waits: MigrationWaits = {}): Promise<string[]> {
  const { databaseMs = 60_000, statementMs = STATEMENT_TIMEOUT_MS, tellEveryMs = 60_000, onWait = () => {} } = waits;
  const session = await connect(url, databaseMs);
  try {
    const { rows } = await session.query<{ version: number }>(SERVER_VERSION);
    for (const { version } of rows) requireServer(version);
    await lock(session, tellEveryMs, onWait);
    return await runAll(url, statementMs);
  } finally {
    await session.end();
  }
}

/**
 * Polls until no other process holds the lock, which ends with its session. A session that waited in the database would be an open
 * transaction, and a concurrent index build waits for those: forever, if they wait for the process that builds the index.
 */
async function lock(session: pg.Client, tellEveryMs: number, onWait: (sentence: string) => void): Promise<void> {
  for (let nextWord = performance.now() + tellEveryMs; ; await sleep(RETRY_MS)) {
    const { rows } = await session.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK_KEY]);
    if (rows[0]?.locked) return;
    if (performance.now() < nextWord) continue;
    onWait('Another process is migrating this database (offsets migrations in pg_stat_activity); waiting for it.');
    nextWord += tellEveryMs;
  }
}

/** A session of its own holds the lock, because it must be the same session throughout. */
async function connect(url: string, timeoutMs: number): Promise<pg.Client> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const session = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'offsets migrations',
    });
    // Without a listener an error on the idle connection would end the process; the next query fails with it as well.
    session.on('error', () => {});
    try {
      await session.connect();
      return session;
    } catch (cause) {
      await session.end().catch(() => {});
      const hint = databaseHint(cause);
      if (hint !== undefined) throw new Error(`PostgreSQL cannot be used: ${hint}`, { cause });
      if (performance.now() > deadline) {
        throw new DatabaseAway(
          `PostgreSQL did not answer within ${timeoutMs / 1_000} s. Is it running, and does DATABASE_MIGRATION_URL or DATABASE_URL name it?`,
          { cause },
        );
      }
      await sleep(RETRY_MS);
    }
  }
}

/** The client waits as long as the server works; keep-alive notices a server that is gone. */
async function runAll(url: string, statementTimeoutMs: number): Promise<string[]> {
  const { extra, ...options } = dataSourceOptions({
    ...{ url, statementTimeoutMs, session: 'migrating', applicationName: 'offsets migrations', poolSize: 1 },
    onIdleError: () => {},
  });
  const source = new DataSource({ ...options, extra: { ...extra, query_timeout: 0 } });
  await source.initialize();
  try {
    return (await source.runMigrations({ transaction: 'each' })).map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}
