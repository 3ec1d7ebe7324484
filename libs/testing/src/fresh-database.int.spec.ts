import pg from 'pg';
import { type FreshDatabase, freshDatabase } from './fresh-database.js';

const templated = {
  name: 'one-table',
  migrate: (url: string) => query(url, 'CREATE TABLE kept (n int)').then(() => {}),
};

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return await client.query(sql).finally(() => client.end());
}

describe('a fresh database', () => {
  const made: FreshDatabase[] = [];
  const fresh = async (...given: Parameters<typeof freshDatabase>) => {
    const database = await freshDatabase(...given);
    made.push(database);
    return database;
  };
  afterAll(() => Promise.all(made.map((database) => database.drop())));

  it('is empty and nobody else’s', async () => {
    const [one, two] = await Promise.all([fresh(), fresh()]);
    await query(one.url, 'CREATE TABLE mine (n int)');
    await expect(query(two.url, 'SELECT * FROM mine')).rejects.toThrow('does not exist');
  });

  it('is a copy of its template, which is migrated once however many ask at a time', async () => {
    let migrations = 0;
    const counted = {
      ...templated,
      migrate: async (url: string) => {
        migrations += 1;
        await templated.migrate(url);
      },
    };
    const databases = await Promise.all([1, 2, 3, 4].map(() => fresh(counted)));
    for (const { url } of databases) expect((await query(url, 'SELECT * FROM kept')).rows).toEqual([]);
    expect(migrations).toBe(1);
  });

  it('is gone after its drop, open sessions or not', async () => {
    const database = await freshDatabase();
    const left = new pg.Client({ connectionString: database.url });
    left.on('error', () => {});
    await left.connect();
    await database.drop();
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
    await left.end().catch(() => {});
  });
});
