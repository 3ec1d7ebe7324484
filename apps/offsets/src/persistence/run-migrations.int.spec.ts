import { eventually, freshDatabase, freshPrefix } from '@carbon/testing';
import pg from 'pg';
import { openDatabase } from '../testing/open-database.js';
import { OutboxSlots1795219200013 } from './migrations/1795219200013-outbox-slots.js';
import { MIGRATIONS } from './migrations/index.js';
import { DatabaseAway, migrate } from './run-migrations.js';

describe('migrating', () => {
  it('migrates an empty database to the newest schema, once, however many processes try at the same time', async () => {
    const { url, drop } = await freshDatabase();
    const done = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(done.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await migrate(url)).toEqual([]);
    await drop();
  });

  it('starts a separate rebuild of the supply for every database', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
    const readings = await Promise.all([one, other].map(({ url }) => migrate(url).then(() => readingOf(url))));
    expect(readings[0]).not.toEqual(readings[1]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('can be reverted', async () => {
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

  it('builds an index concurrently with other transactions, without a time limit, and blocks none while it waits', async () => {
    const { url, sql, older, close } = await before();
    // The limit applies to statements that block the service.
    const migrating = migrate(url, { statementMs: 2_000 });
    const overdue = `${WAITING} AND query_start < clock_timestamp() - interval '3 s'`;
    await eventually(async () => expect((await sql.query(overdue)).rowCount).toBe(1));
    await sql.query("SET lock_timeout = '10 s'");
    await sql.query(INSERT, ['off_2']);
    await sql.query("UPDATE offsets SET updated_at = now() WHERE id = 'off_2'");
    // Another process that wants to migrate waits as well, and is not waited for.
    const another = migrate(url);
    await older.query('COMMIT');
    expect(await migrating).toEqual([LIST_INDEXES]);
    expect(await another).toEqual([]);
    expect(await invalid(sql)).toEqual([]);
    await close();
  });

  it('keeps the indexes that an interrupted run has finished', async () => {
    const { url, sql, older, close } = await before('offsets_by_customer_ref');
    await older.query('COMMIT');
    const built = await oidOf(sql);
    expect(await migrate(url)).toEqual([LIST_INDEXES]);
    expect(await oidOf(sql)).toEqual(built);
    await close();
  });

  it('rebuilds an invalid index of an interrupted run', async () => {
    const { url, sql, older, close } = await before();
    const cut = migrate(url).catch((error: unknown) => error);
    await eventually(async () => expect((await sql.query(END)).rowCount).toBe(1));
    expect(await cut).toBeInstanceOf(Error);
    expect(await invalid(sql)).toEqual([{ name: 'offsets_by_status' }]);
    await older.query('COMMIT');
    expect(await migrate(url)).toEqual([LIST_INDEXES]);
    expect(await invalid(sql)).toEqual([]);
    await close();
  });

  it('waits for an index that the server still builds for a process that is gone, and keeps it', async () => {
    const { url, sql, older, close } = await before();
    const looking = new pg.Client(url);
    await looking.connect();
    const building = sql.query(
      'CREATE INDEX CONCURRENTLY offsets_by_status ON offsets (account, status, created_at, id)',
    );
    await eventually(async () => expect((await looking.query(WAITING)).rowCount).toBe(1));
    const migrating = migrate(url);
    await eventually(async () => expect((await looking.query(AT_ITS_INDEX)).rowCount).toBe(1));
    const index = await oidOf(looking);
    await older.query('COMMIT');
    await building;
    expect(await migrating).toEqual([LIST_INDEXES]);
    expect(await oidOf(looking)).toEqual(index);
    expect(await invalid(looking)).toEqual([]);
    await looking.end();
    await close();
  });

  it('waits while another process migrates, without a time limit, and reports it', async () => {
    const { url, drop } = await freshDatabase();
    const other = new pg.Client(url);
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [0x6d_69_67_72]);
    const messages: string[] = [];
    const migrating = migrate(url, { tellEveryMs: 100, onWait: (sentence) => messages.push(sentence) });
    await eventually(() => expect(messages.length).toBeGreaterThan(1));
    await other.end();
    expect(await migrating).toHaveLength(MIGRATIONS.length);
    await drop();
  });

  it('converts the outbox into a ring of slots with its rows, and keeps it compatible with running processes', async () => {
    const { url, drop } = await freshDatabase();
    await migrate(url);
    const database = await openDatabase(url);
    await database.read((manager) =>
      manager.transaction(async ({ queryRunner }) => queryRunner && new OutboxSlots1795219200013().down(queryRunner)),
    );
    await database.onApplicationShutdown();
    const sql = new pg.Client(url);
    await sql.connect();
    const insert = `INSERT INTO outbox (event_id, offset_id, type, payload) VALUES ($1, 'off_1', 'offset.failed.v1', '{}')`;
    await sql.query(insert, ['before']);
    const role = `${freshPrefix()}role`;
    await sql.query(`CREATE ROLE "${role}"`);
    await sql.query(`GRANT SELECT, INSERT ON outbox TO "${role}"`);
    await sql.query('DELETE FROM migrations WHERE name = $1', [OutboxSlots1795219200013.name]);
    // The state after an interrupted run.
    await sql.query('ALTER TABLE outbox ADD COLUMN slot smallint NOT NULL DEFAULT 0');
    expect(await migrate(url)).toEqual([OutboxSlots1795219200013.name]);
    await sql.query(`SET ROLE "${role}"`);
    await sql.query(insert, ['after']);
    const { rows } = await sql.query('SELECT event_id, slot FROM outbox ORDER BY slot');
    expect(rows).toEqual([
      { event_id: 'before', slot: 0 },
      { event_id: 'after', slot: 1 },
    ]);
    await sql.query('RESET ROLE');
    await sql.query(`DROP OWNED BY "${role}"`);
    await sql.query(`DROP ROLE "${role}"`);
    expect(await invalid(sql)).toEqual([]);
    await sql.end();
    await drop();
  });

  it('fails with a message after a bounded wait when there is no database', async () => {
    const timeout = { databaseMs: 600 };
    await expect(migrate('postgresql://nobody@127.0.0.1:1/none', timeout)).rejects.toThrow(DatabaseAway);
  });
});

const LIST_INDEXES = 'ListIndexes1795219200008';
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
/** Returns whether a migration is about to build an index, or waits before it does. */
const AT_ITS_INDEX = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'offsets migrations' AND (query LIKE '%pg_stat_progress_create_index%' OR query LIKE 'DROP INDEX%')`;
const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
  AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
const INSERT = `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, created_at, updated_at)
  VALUES ($1, 'default', 'queued', 1, 1000, '', now(), now())`;

/** A database without the indexes of the list, and an open transaction that has written an offset. */
async function before(missing = 'offsets_by_status') {
  const { url, drop } = await freshDatabase();
  await migrate(url);
  const [sql, older] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([sql.connect(), older.connect()]);
  await sql.query(`DROP INDEX ${missing}`);
  await sql.query('DELETE FROM migrations WHERE name = $1', [LIST_INDEXES]);
  await older.query('BEGIN');
  await older.query(INSERT, ['off_1']);
  const close = async () => {
    await Promise.all([sql.end(), older.end()]);
    await drop();
  };
  return { url, sql, older, close };
}

async function invalid(sql: pg.Client): Promise<object[]> {
  const { rows } = await sql.query<object>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
  );
  return rows;
}

async function oidOf(sql: pg.Client): Promise<object[]> {
  const { rows } = await sql.query<object>(`SELECT 'offsets_by_status'::regclass::oid AS oid`);
  return rows;
}

async function readingOf(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT id FROM supply_reading');
  await client.end();
  return rows[0];
}
