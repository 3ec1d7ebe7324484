import { eventually } from '@carbon/testing';
import { preference } from '../domain/test-preference.js';
import { audit } from '../ledger-cli/audit.js';
import { inSnapshot } from '../ledger-cli/snapshot.js';
import { Bells } from '../pace/bell.js';
import type { Database } from '../persistence/database.js';
import { openDatabase, TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { ReserveCredits } from './reserve-credits.js';

describe('workers that race for an estimate', () => {
  let test: TestDatabase;
  let databases: Database[];
  let workers: ReserveCredits[];
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a')]);
    databases = await Promise.all([1, 2, 3, 4].map(() => openDatabase(test.url)));
    workers = databases.map((database) => new ReserveCredits(database, new Bells(), preference()));
  });
  afterEach(async () => {
    await Promise.all(databases.map((database) => database.onApplicationShutdown()));
    expect((await inSnapshot(test.url, audit)).faults).toEqual([]);
    await test.close();
  });

  it('decide one after the other: the second sees what the first did, and its batch goes on', async () => {
    const estimateId = await test.estimate(100);
    const [first, second] = [
      await test.wish({ kgCO2e: 100, estimateId }),
      await test.wish({ kgCO2e: 100, estimateId }),
    ];
    const beside = await test.wish({ kgCO2e: 5 });
    const holder = await test.sql.connect();
    // The second offset is out of reach of the first worker, which then stops in the middle, at the supply.
    await holder.query('BEGIN');
    await holder.query('SELECT FROM offsets WHERE id = ANY ($1) FOR UPDATE', [[second, beside]]);
    const supply = await test.sql.connect();
    await supply.query('BEGIN');
    await supply.query('SELECT FROM supply FOR UPDATE');
    const one = workers[0]?.run();
    await eventually(async () => expect(await test.blocked()).toBe(1), { every: 5 });
    await holder.query('COMMIT');
    const other = workers[1]?.run();
    await eventually(async () => expect(await test.blocked()).toBe(2), { every: 5 });
    await supply.query('COMMIT');
    supply.release();
    holder.release();
    await Promise.all([one, other]);
    expect(await Promise.all([first, second, beside].map((id) => test.outcome(id)))).toEqual([
      'processing',
      'estimate_used',
      'processing',
    ]);
  });

  it('give each of many estimates to exactly one of the offsets that name it', async () => {
    const estimates = await Promise.all(Array.from({ length: 25 }, (_, n) => test.estimate(n + 1)));
    const wishes = estimates.flatMap((estimateId, n) => [1, 2, 3, 4].map(() => ({ kgCO2e: n + 1, estimateId })));
    let asking = true;
    const drain = async (worker: ReserveCredits) => {
      while (asking || (await worker.run()) !== undefined) await worker.run();
    };
    const ask = async () => {
      for (let start = 0; start < wishes.length; start += 5) {
        await Promise.all(wishes.slice(start, start + 5).map((wish) => test.wish(wish)));
      }
      asking = false;
    };
    await Promise.all([ask(), ...workers.map(drain)]);
    const rows = await test.rows(
      `SELECT estimate_id, count(*) FILTER (WHERE status = 'processing')::integer AS served,
         count(*) FILTER (WHERE failure_code = 'estimate_used')::integer AS used
       FROM offsets GROUP BY estimate_id`,
    );
    expect(rows).toEqual(estimates.map(() => ({ estimate_id: expect.any(String), served: 1, used: 3 })));
  });
});
