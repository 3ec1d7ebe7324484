import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { PruneEstimates } from './prune-estimates.js';

const DAY_MS = 24 * 3_600_000;

describe('forgetting estimates', () => {
  let test: TestDatabase;
  let prune: PruneEstimates;
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a')]);
    prune = new PruneEstimates(test.database);
  });
  afterEach(() => test.close());

  /** An estimate that expired so many days ago. */
  const expired = (days: number) => test.estimate(1, { createdAt: new Date(Date.now() - (days + 1) * DAY_MS) });
  const left = async () =>
    (await test.rows<{ id: string }>('SELECT id FROM estimates ORDER BY id')).map(({ id }) => id);

  it('keeps those that a request which waits somewhere may still name, 45 days beyond their expiry', async () => {
    const [old, young, valid] = [await expired(45.01), await expired(44.99), await expired(-1)];
    expect(await prune.run()).toBe(false);
    expect(await left()).toEqual([young, valid].sort());
    expect(await test.findEstimate.run('default', young)).toMatchObject({ id: young });
    await expect(test.findEstimate.run('default', old)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps those that an offset names, whatever became of it, and looks at them once', async () => {
    const [used, failed, gone] = [await expired(60), await expired(60), await expired(60)];
    const createdAt = new Date(Date.now() - 60.5 * DAY_MS).toISOString();
    await test.wish({ kgCO2e: 1, estimateId: used }, { createdAt });
    await test.wish({ kgCO2e: 2, estimateId: failed }, { createdAt });
    await test.reserveCredits.run();
    expect([await test.counts(), await left()]).toEqual([{ processing: 1, failed: 1 }, [used, failed, gone].sort()]);
    await prune.run();
    expect(await left()).toEqual([used, failed].sort());
    expect(await test.rows('SELECT DISTINCT kept FROM estimates')).toEqual([{ kept: true }]);
  });

  it('is not kept by an offset of another account', async () => {
    const estimateId = await expired(60);
    await test.wish({ kgCO2e: 1, estimateId }, { account: 'thief' });
    await prune.run();
    expect(await left()).toEqual([]);
  });

  it('takes a thousand at a time', async () => {
    const one = await expired(60);
    await test.sql.query(
      `INSERT INTO estimates SELECT 'est_' || n, account, kg_co2e, grams, asset_id, lines, line_count,
         created_at, expires_at
       FROM estimates, generate_series(1, 1500) AS n WHERE id = $1`,
      [one],
    );
    expect([await prune.run(), (await left()).length]).toEqual([true, 501]);
    expect([await prune.run(), (await left()).length]).toEqual([false, 0]);
  });
});
