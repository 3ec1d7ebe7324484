import { eventually } from '@carbon/testing';
import { preference } from '../domain/test-preference.js';
import type { Query } from '../persistence/database.js';
import { preferredSupply } from '../persistence/preferred-supply.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';

const EXHAUSTED = 100_000;

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

describe('assets that are used up', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  /** Cheaper than all others, so they would be taken first. */
  const exhaust = () =>
    test.sql.query(
      `INSERT INTO supply (asset_id, type, active, price_micros, published_issued, issued, retired, version, brought_in)
       SELECT 'pool_gone_' || n, 'POOL', true, 1, 1000, 1000, 1000, 1, 1 FROM generate_series(1, $1::integer) AS n`,
      [EXHAUSTED],
    );
  /** How many pages a batch reads to find what it may take, as the server counts them. */
  const pagesRead = async () => {
    let pages = Number.NaN;
    const count = async (sql: string, parameters?: readonly unknown[]) => {
      const rows = await test.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
        parameters,
      );
      const [{ Plan }] = rows[0]?.['QUERY PLAN'] ?? [
        { Plan: { 'Shared Hit Blocks': Number.NaN, 'Shared Read Blocks': 0 } },
      ];
      pages = Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
      return [];
    };
    const counting: Query = Object.assign(count, { fence: test.database.fence });
    await preferredSupply(counting, preference(), 16);
    return pages;
  };
  const inOrder = async () => (await preferredSupply(test.database.query, preference(), 16)).map(({ asset }) => asset);
  const updates = () =>
    test.rows(`SELECT n_tup_upd::integer AS all, n_tup_hot_upd::integer AS hot FROM pg_stat_user_tables
      WHERE relname = 'supply'`);

  it('cost a batch nothing, however many there are', async () => {
    await test.bring([pool('a', { price: 5 }), pool('b', { price: 6 })]);
    expect(await pagesRead()).toBeLessThan(20);
    await exhaust();
    expect(await inOrder()).toEqual(['pool_a', 'pool_b']);
    expect(await pagesRead()).toBeLessThan(20);
    await test.sql.query('ANALYZE supply');
    expect(await pagesRead()).toBeLessThan(20);
  });

  it('are changed beside no index until they are used up', async () => {
    await test.bring([pool('a', { issued: 1 })]);
    for (let batch = 0; batch < 4; batch += 1) {
      await test.ask(100);
      await test.reserveCredits.run();
    }
    await eventually(async () => expect(await updates()).toEqual([{ all: 4, hot: 4 }]));
    await test.ask(600);
    await test.reserveCredits.run();
    await eventually(async () => expect(await updates()).toEqual([{ all: 5, hot: 4 }]));
  });

  it('are taken from again as soon as there is something', async () => {
    await test.bring([pool('a', { price: 5, issued: 1 }), pool('b', { price: 6 })]);
    await test.ask(1_000);
    await test.reserveCredits.run();
    expect(await inOrder()).toEqual(['pool_b']);
    await test.bring([pool('a', { price: 5, issued: 2 })]);
    expect(await inOrder()).toEqual(['pool_a', 'pool_b']);
  });
});
