import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import { requireServer, SERVER_VERSION } from './server-version.js';

/** Any number that nobody else locks in this database; the letters "migr". */
const LOCK = 0x6d_69_67_72;
const STATEMENT_MS = 10 * 60_000;
const CONNECT_MS = 2_000;
const RETRY_MS = 500;

/** The database did not answer in time. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/** How long a migration waits for others before it gives up. */
export interface MigrationPatience {
  /** How long to wait for the database, ms. */
  readonly databaseMs: number;
  /** How long to wait for another process that is migrating, ms. */
  readonly lockMs: number;
}

const PATIENCE: MigrationPatience = { databaseMs: 60_000, lockMs: STATEMENT_MS };

/**
 * Runs the migrations that are still to be run, each in a transaction of its own unless it says that it cannot, one process
 * at a time.
 * @returns their names
 * @throws DatabaseAway when there is no database to be had
 * @throws ServerTooOld when its server is one that would take the migrations and not the work
 */
export async function migrate(url: string, patience: MigrationPatience = PATIENCE): Promise<string[]> {
  const session = await connect(url, patience.databaseMs);
  try {
    await look(session);
    await lock(session, patience.lockMs);
    return await runAll(url);
  } finally {
    await session.end();
  }
}

async function look(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ version: number }>(SERVER_VERSION);
  for (const { version } of rows) requireServer(version);
}

/**
 * Asks again and again instead of waiting in the database: a session that waits there counts as a transaction under way,
 * and an index that is built beside the work waits for those, without end when they wait for whoever builds it.
 */
async function lock(session: pg.Client, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const { rows } = await session.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [LOCK]);
    if (rows[0]?.got) return;
    if (performance.now() > deadline)
      throw new Error(`Another process is migrating for ${withinMs / 1_000} s already.`);
    await sleep(RETRY_MS);
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
      if (performance.now() > deadline) {
        throw new DatabaseAway(`PostgreSQL did not answer within ${withinMs / 1_000} s. Is it running?`, { cause });
      }
      await sleep(RETRY_MS);
    }
  }
}

async function runAll(url: string): Promise<string[]> {
  const use = { applicationName: 'offsets migrations', poolSize: 1, statementMs: STATEMENT_MS, onIdleError: () => {} };
  const source = new DataSource(dataSourceOptions({ ...use, url }));
  await source.initialize();
  try {
    const done = await source.runMigrations({ transaction: 'each' });
    return done.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}
