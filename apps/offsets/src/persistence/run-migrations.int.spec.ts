import { eventually, freshDatabase } from '@carbon/testing';
import pg from 'pg';
import { openDatabase } from '../test-database.js';
import { MIGRATIONS } from './data-source-options.js';
import { DatabaseAway, migrate } from './run-migrations.js';

describe('migrating', () => {
  it('brings an empty database to the newest schema, once, however many try at the same time', async () => {
    const { url, drop } = await freshDatabase();
    const done = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(done.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await migrate(url)).toEqual([]);
    await drop();
  });

  it('gives every database its own reading of the supply', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
    const readings = await Promise.all([one, other].map(({ url }) => migrate(url).then(() => readingOf(url))));
    expect(readings[0]).not.toEqual(readings[1]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('can be taken back', async () => {
    const { url, drop } = await freshDatabase();
    await migrate(url);
    const database = await openDatabase(url);
    for (const Migration of [...MIGRATIONS].reverse()) {
      await database.read(async (manager) => {
        await manager.transaction(async ({ queryRunner }) => queryRunner && new Migration().down(queryRunner));
      });
    }
    const left = await database.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(left).toEqual([{ tablename: 'migrations' }]);
    await database.onApplicationShutdown();
    await drop();
  });

  it('builds an index beside the work that goes on, and holds up nobody while it waits for what is older', async () => {
    const { url, drop, sql, older } = await beforeListIndexes();
    const migrating = migrate(url);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
    await eventually(async () => expect((await sql.query(waiting)).rowCount).toBe(1));
    await sql.query("SET lock_timeout = '10 s'");
    await sql.query(INSERT, ['off_2']);
    await sql.query("UPDATE offsets SET updated_at = now() WHERE id = 'off_2'");
    // Another that comes to migrate meanwhile waits as well, and is not waited for.
    const another = migrate(url);
    await older.query('COMMIT');
    expect(await migrating).toEqual([LIST_INDEXES]);
    expect(await another).toEqual([]);
    expect(await invalid(sql)).toEqual([]);
    await Promise.all([sql.end(), older.end()]);
    await drop();
  });

  it('builds an index anew that a run which was cut short has left behind unusable', async () => {
    const { url, drop, sql, older } = await beforeListIndexes();
    const cut = migrate(url).catch((error: unknown) => error);
    await eventually(async () => expect((await sql.query(END)).rowCount).toBe(1));
    expect(await cut).toBeInstanceOf(Error);
    expect(await invalid(sql)).toEqual([{ name: 'offsets_by_status' }]);
    await older.query('COMMIT');
    expect(await migrate(url)).toEqual([LIST_INDEXES]);
    expect(await invalid(sql)).toEqual([]);
    await Promise.all([sql.end(), older.end()]);
    await drop();
  });

  it('puts two indexes in the place of one beside the work, also after a run that was cut short', async () => {
    const { url, drop, sql, older } = await before(DUE_INDEXES, [
      'DROP INDEX offsets_queued, offsets_held',
      `CREATE INDEX offsets_due ON offsets (status, created_at, id) WHERE status IN ('queued', 'processing')`,
    ]);
    const cut = migrate(url).catch((error: unknown) => error);
    await eventually(async () => expect((await sql.query(END)).rowCount).toBe(1));
    expect(await cut).toBeInstanceOf(Error);
    expect(await invalid(sql)).toEqual([{ name: 'offsets_queued' }]);
    await sql.query(INSERT, ['off_2']);
    await older.query('COMMIT');
    expect(await migrate(url)).toEqual([DUE_INDEXES]);
    expect(await invalid(sql)).toEqual([]);
    const { rows } = await sql.query(
      `SELECT indexname FROM pg_indexes WHERE indexname IN ('offsets_due', 'offsets_queued', 'offsets_held') ORDER BY 1`,
    );
    expect(rows).toEqual([{ indexname: 'offsets_held' }, { indexname: 'offsets_queued' }]);
    await Promise.all([sql.end(), older.end()]);
    await drop();
  });

  it('says so when there is no database, after a bounded wait', async () => {
    const patience = { databaseMs: 600, lockMs: 1_000 };
    await expect(migrate('postgresql://nobody@127.0.0.1:1/none', patience)).rejects.toThrow(DatabaseAway);
  });
});

const LIST_INDEXES = 'ListIndexes1795219200008';
const DUE_INDEXES = 'DueIndexes1795219200010';
const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
  AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
const INSERT = `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, created_at, updated_at)
  VALUES ($1, 'default', 'queued', 1, 1000, '', now(), now())`;

const beforeListIndexes = () => before(LIST_INDEXES, ['DROP INDEX offsets_by_status']);

/** A database as it was before a migration, and somebody in the middle of a transaction that has written an offset. */
async function before(migration: string, undo: readonly string[]) {
  const { url, drop } = await freshDatabase();
  await migrate(url);
  const [sql, older] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([sql.connect(), older.connect()]);
  for (const statement of undo) await sql.query(statement);
  await sql.query('DELETE FROM migrations WHERE name = $1', [migration]);
  await older.query('BEGIN');
  await older.query(INSERT, ['off_1']);
  return { url, drop, sql, older };
}

async function invalid(sql: pg.Client): Promise<object[]> {
  const { rows } = await sql.query<object>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
  );
  return rows;
}

async function readingOf(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT id FROM supply_reading');
  await client.end();
  return rows[0];
}
