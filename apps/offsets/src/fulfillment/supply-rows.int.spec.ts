import { PREFERENCE_WORDS } from '../domain/preference.js';
import { type Query } from '../persistence/database.js';
import { preference, TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { preferredSupply } from './supply-rows.js';

let test: TestDatabase;
beforeEach(async () => {
  test = await TestDatabase.create();
});
afterEach(() => test.close());

const inOrder = async (most = 16, by = preference()) =>
  (await preferredSupply(test.database.query, by, most)).map((supply) => supply.asset);

describe('the order in which credits are taken', () => {
  const RATINGS = [undefined, 5, 0, -1.5, 4.25, undefined, 5];
  /** Many prices and ratings twice, and ids whose byte order differs from the collation of most languages. */
  const LIBRARY = Array.from({ length: 210 }, (_, n) => {
    const rating = RATINGS[n % RATINGS.length];
    const facts = { price: (n * 37) % 11, issued: 1, ...(rating !== undefined && { rating }) };
    return pool(`${['b', 'a_', 'a-', 'a0', 'aa'][n % 5]}${n % 31}`, facts);
  });

  it('is the same in the database and in the process, for every preference', async () => {
    await test.recordAssets(LIBRARY);
    const texts = PREFERENCE_WORDS.flatMap((first) => [
      first,
      ...PREFERENCE_WORDS.filter((word) => word.at(-1) !== first.at(-1)).map((word) => `${first},${word}`),
    ]);
    for (const order of texts.map(preference)) {
      const supplies = await preferredSupply(test.database.query, order, 1_000);
      expect(supplies.length).toBeGreaterThan(150);
      expect(supplies).toEqual([...supplies].sort(order.compare));
      expect(await preferredSupply(test.database.query, order, 20)).toEqual(supplies.slice(0, 20));
    }
  });

  it.each(['price,-rating', 'rating,-price'])('"%s" holds over more assets than are locked at first', async (text) => {
    await test.recordAssets(LIBRARY);
    const before = await inOrder(40, preference(text));
    const [id] = await test.queue(40_000);
    await test.reserving(preference(text)).run();
    const sql = 'SELECT asset_id FROM reservations WHERE offset_id = $1';
    const taken = await test.rows<{ asset_id: string }>(sql, [id]);
    expect(taken.map(({ asset_id }) => asset_id).sort()).toEqual([...before].sort());
  });
});

describe('assets without credits left', () => {
  interface Plan {
    readonly 'Shared Hit Blocks': number;
    readonly 'Shared Read Blocks': number;
  }

  /** Returns how many pages a batch reads to find the preferred assets, as counted by the server. */
  const pagesRead = async () => {
    let pages = Number.NaN;
    const count = async (sql: string, parameters?: readonly unknown[]) => {
      const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`;
      const [row] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain, parameters);
      const plan = row?.['QUERY PLAN'][0].Plan;
      if (plan) pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return [];
    };
    await preferredSupply(Object.assign(count, { fence: test.database.fence }) as Query, preference(), 16);
    return pages;
  };

  it('are not read by a batch, however many there are', async () => {
    await test.recordAssets([pool('a', { price: 5 }), pool('b', { price: 6 })]);
    expect(await pagesRead()).toBeLessThan(20);
    // Cheaper than all others, so they would be taken first.
    await test.sql.query(
      `INSERT INTO supply (asset_id, type, active, price_micros, published_issued, issued, retired, version, brought_in)
       SELECT 'pool_gone_' || n, 'POOL', true, 1, 1000, 1000, 1000, 1, 1 FROM generate_series(1, 100000) AS n`,
    );
    expect(await inOrder()).toEqual(['pool_a', 'pool_b']);
    expect(await pagesRead()).toBeLessThan(20);
    await test.sql.query('ANALYZE supply');
    expect(await pagesRead()).toBeLessThan(20);
  });

  it('are used again as soon as more is issued', async () => {
    await test.recordAssets([pool('a', { price: 5, issued: 1 }), pool('b', { price: 6 })]);
    await test.queue(1_000);
    await test.reserveCredits.run();
    expect(await inOrder()).toEqual(['pool_b']);
    await test.recordAssets([pool('a', { price: 5, issued: 2 })]);
    expect(await inOrder()).toEqual(['pool_a', 'pool_b']);
  });
});
