import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import { databaseAdvice } from './database-advice.js';
import { requireServer, SERVER_VERSION } from './server-version.js';

/** Any number that nobody else locks in this database; the letters "migr". */
const LOCK = 0x6d_69_67_72;
/** For what holds locks that the service waits for; indexes are built without a limit. */
const STATEMENT_MS = 10 * 60_000;
const CONNECT_MS = 2_000;
const RETRY_MS = 500;

/** The database did not answer in time. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/** How long a migration waits, in ms. */
export interface MigrationWaits {
  /** For the database. */
  readonly databaseMs?: number;
  /** For a statement that holds up the service. */
  readonly statementMs?: number;
  /** Between two words to `onWait` while another process is migrating. */
  readonly tellEveryMs?: number;
  readonly onWait?: (sentence: string) => void;
}

const WAITS: Required<MigrationWaits> = {
  databaseMs: 60_000,
  statementMs: STATEMENT_MS,
  tellEveryMs: 60_000,
  onWait: () => {},
};

/**
 * Runs the migrations that are still to be run, each in a transaction of its own unless it says that it cannot, one process
 * at a time.
 * @returns their names
 * @throws DatabaseAway when there is no database to be had
 * @throws ServerTooOld when its server is one that would take the migrations and not the work
 */
export async function migrate(url: string, waits: MigrationWaits = {}): Promise<string[]> {
  const every = { ...WAITS, ...waits };
  const session = await connect(url, every.databaseMs);
  try {
    await look(session);
    await lock(session, every);
    return await runAll(url, every.statementMs);
  } finally {
    await session.end();
  }
}

async function look(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ version: number }>(SERVER_VERSION);
  for (const { version } of rows) requireServer(version);
}

/**
 * Waits for as long as another process holds the lock, which it loses with its session. Asks again and again instead of
 * waiting in the database: a session that waits there counts as a transaction under way, and an index that is built beside
 * the work waits for those, without end when they wait for whoever builds it.
 */
async function lock(session: pg.Client, { tellEveryMs, onWait }: Required<MigrationWaits>): Promise<void> {
  for (let nextWord = performance.now() + tellEveryMs; ; await sleep(RETRY_MS)) {
    const { rows } = await session.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [LOCK]);
    if (rows[0]?.got) return;
    if (performance.now() < nextWord) continue;
    onWait('Another process is migrating this database (offsets migrations in pg_stat_activity); waiting for it.');
    nextWord += tellEveryMs;
  }
}

/** A session of its own holds the lock: it must be the same one from beginning to end. */
async function connect(url: string, withinMs: number): Promise<pg.Client> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const session = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: 'offsets migrations',
    });
    // Unheard, an error on an idle connection would end the process; should the lock be lost, the next query says so.
    session.on('error', () => {});
    try {
      await session.connect();
      return session;
    } catch (cause) {
      await session.end().catch(() => {});
      const advice = databaseAdvice(cause);
      if (advice !== undefined) throw new Error(`PostgreSQL cannot be used: ${advice}`, { cause });
      if (performance.now() > deadline) {
        throw new DatabaseAway(
          `PostgreSQL did not answer within ${withinMs / 1_000} s. Is it running, and does DATABASE_MIGRATION_URL or DATABASE_URL name it?`,
          { cause },
        );
      }
      await sleep(RETRY_MS);
    }
  }
}

/** The client waits for as long as the server works; a server that is gone is noticed by keep-alive. */
async function runAll(url: string, statementMs: number): Promise<string[]> {
  const session = 'migrating' as const;
  const use = { session, applicationName: 'offsets migrations', poolSize: 1, statementMs, onIdleError: () => {} };
  const { extra, ...options } = dataSourceOptions({ ...use, url });
  const source = new DataSource({ ...options, extra: { ...extra, query_timeout: 0 } });
  await source.initialize();
  try {
    const done = await source.runMigrations({ transaction: 'each' });
    return done.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}
