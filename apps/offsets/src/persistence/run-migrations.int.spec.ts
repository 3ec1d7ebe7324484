import { freshDatabase } from '@carbon/testing';
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

  it('says so when there is no database, after a bounded wait', async () => {
    const patience = { databaseMs: 600, lockMs: 1_000 };
    await expect(migrate('postgresql://nobody@127.0.0.1:1/none', patience)).rejects.toThrow(DatabaseAway);
  });
});

async function readingOf(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT id FROM supply_reading');
  await client.end();
  return rows[0];
}
