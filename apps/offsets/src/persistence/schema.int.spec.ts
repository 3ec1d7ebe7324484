import { DataSource } from 'typeorm';
import { TestDatabase } from '../test-database.js';
import { dataSourceOptions } from './data-source-options.js';

describe('the schema', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create();
  });
  afterAll(() => test.close());

  it('is the same in the migrations and in the entities', async () => {
    const use = { url: test.url, applicationName: 'test', poolSize: 1, statementMs: 5_000, onIdleError: () => {} };
    const source = await new DataSource(dataSourceOptions(use)).initialize();
    try {
      // Where TypeORM would keep the expressions of computed columns, and looks for them; we have them in the migrations alone.
      await test.sql.query(
        'CREATE TABLE typeorm_metadata (type text, name text, database text, schema text, "table" text, value text)',
      );
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      // Checks stand in the migrations alone: TypeORM would drop what the entities do not repeat.
      const differences = upQueries
        .map(({ query }) => query)
        .filter((query) => !/ DROP CONSTRAINT |"typeorm_metadata"|exhausted"/.test(query));
      expect(differences).toEqual([]);
    } finally {
      await source.destroy();
    }
  });

  it('has room for one reading of the supply only', async () => {
    await expect(test.sql.query('INSERT INTO supply_reading DEFAULT VALUES')).rejects.toThrow('supply_reading_pkey');
    await expect(test.sql.query('INSERT INTO supply_reading (single) VALUES (false)')).rejects.toThrow(
      'supply_reading_single',
    );
  });

  it('refuses to sell more than there is', async () => {
    await test.sql.query(
      `INSERT INTO supply (asset_id, type, active, published_issued, issued, version, brought_in)
       VALUES ('pool_scarce', 'POOL', true, 5, 5, 1, 1)`,
    );
    const change = (reserved: number) =>
      test.sql.query('UPDATE supply SET reserved = $1 WHERE asset_id = $2', [reserved, 'pool_scarce']);
    await expect(change(6)).rejects.toThrow('supply_not_oversold');
    await expect(change(-1)).rejects.toThrow('supply_not_negative');
    await change(5);
  });

  it('lets an estimate be used by one offset only, until that one fails', async () => {
    const insert = (id: string, status: string) =>
      test.sql.query(
        `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, cost_micros, created_at,
           updated_at, failed_at, failure_code, failure_detail)
         VALUES ($1, 'a', $2, 1, 1000, '', 'est_1', CASE WHEN $2 = 'processing' THEN 1 END, now(), now(),
           CASE WHEN $2 = 'failed' THEN now() END, CASE WHEN $2 = 'failed' THEN 'x' END,
           CASE WHEN $2 = 'failed' THEN 'x' END)`,
        [id, status],
      );
    await insert('off_a', 'queued');
    await insert('off_b', 'failed');
    await insert('off_c', 'processing');
    await expect(insert('off_d', 'processing')).rejects.toThrow('offsets_estimate_once');
  });
});

describe('the retirement ledger', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create();
    await test.sql.query(
      `INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash)
       VALUES ('pool_a', 1, 'off_a', 1, 1, now(), decode(repeat('00', 32), 'hex'))`,
    );
  });
  afterAll(() => test.close());

  it.each(['UPDATE ledger SET grams = 2', 'DELETE FROM ledger', 'TRUNCATE ledger', 'TRUNCATE ledger, supply'])(
    'refuses %s',
    async (statement) => {
      await expect(test.sql.query(statement)).rejects.toThrow('the retirement ledger is append-only');
      expect(await test.rows('SELECT grams FROM ledger')).toEqual([{ grams: '1' }]);
    },
  );

  it.each(['UPDATE ledger_gaps SET last_sequence = 9', 'DELETE FROM ledger_gaps', 'TRUNCATE ledger_gaps'])(
    'refuses %s',
    async (statement) => {
      await test.sql.query(
        `INSERT INTO ledger_gaps (asset_id, first_sequence, last_sequence, last_hash)
         VALUES ('pool_a', 2, 3, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING`,
      );
      await expect(test.sql.query(statement)).rejects.toThrow('the retirement ledger is append-only');
    },
  );

  it('has no two entries at one place of a chain, and none twice for an offset', async () => {
    const insert = (sequence: number, offset: string) =>
      test.sql.query(
        `INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash)
         VALUES ('pool_a', $1, $2, 1, 1, now(), decode(repeat('00', 32), 'hex'))`,
        [sequence, offset],
      );
    await expect(insert(1, 'off_b')).rejects.toThrow('ledger_pkey');
    await expect(insert(2, 'off_a')).rejects.toThrow('ledger_once');
  });
});
