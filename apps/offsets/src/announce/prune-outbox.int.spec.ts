import { TestDatabase } from '../test-database.js';
import { PruneOutbox } from './prune-outbox.js';

describe('forgetting events', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  /** So many events, written and published so many days ago; not published without the second. */
  const insert = (name: string, count: number, writtenDays: number, publishedDays?: number) =>
    test.sql.query(
      `INSERT INTO outbox (event_id, offset_id, type, payload, created_at, published_at)
       SELECT $1 || n, n, 'offset.failed.v1', '{}', now() - $3 * interval '1 day', now() - $4 * interval '1 day'
       FROM generate_series(1, $2::integer) AS n`,
      [name, count, writtenDays, publishedDays],
    );
  const left = async () =>
    Object.fromEntries(
      (
        await test.rows<{ name: string; n: number }>(
          `SELECT rtrim(event_id, '0123456789') AS name, count(*)::integer AS n FROM outbox GROUP BY 1`,
        )
      ).map(({ name, n }) => [name, n]),
    );
  const prune = async () => {
    const runs: boolean[] = [];
    const pruning = new PruneOutbox(test.database);
    do runs.push(await pruning.run());
    while (runs.at(-1));
    return runs;
  };

  it('begins 14 days after they were published, whenever they were written, and never with what is unsent', async () => {
    await insert('long ago', 3, 40, 14.001);
    await insert('nearly so', 3, 14.1, 13.999);
    await insert('late', 2, 40, 1);
    await insert('now', 2, 0, 0);
    await insert('unsent', 4, 400);
    expect(await prune()).toEqual([false]);
    expect(await left()).toEqual({ 'nearly so': 3, late: 2, now: 2, unsent: 4 });
  });

  it('goes in batches, while others work on what is young', async () => {
    await insert('old', 12_000, 30, 20);
    await insert('young', 100, 1);
    const working = await test.sql.connect();
    await working.query('BEGIN');
    await working.query(`UPDATE outbox SET published_at = now() WHERE event_id LIKE 'young%'`);
    expect(await prune()).toEqual([true, true, false]);
    await working.query('COMMIT');
    working.release();
    expect(await left()).toEqual({ young: 100 });
  });

  it('shares what is to be forgotten between several that begin at the same time', async () => {
    await insert('old', 8_000, 30, 20);
    await Promise.all([prune(), prune(), prune()]);
    expect(await left()).toEqual({});
  });

  it('leaves the offsets marked as announced', async () => {
    await test.sql.query(
      `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, failure_code, failure_detail, created_at,
         updated_at, failed_at, announced_at)
       SELECT 'off_1', 'default', 'failed', 1, 1000, '', 'insufficient_supply', '', at, at, at, at
       FROM (SELECT now() - interval '20 days' AS at)`,
    );
    await insert('off_', 1, 20, 20);
    await prune();
    expect(await left()).toEqual({});
    expect(await test.rows('SELECT announced_at IS NOT NULL AS announced FROM offsets')).toEqual([{ announced: true }]);
  });
});
