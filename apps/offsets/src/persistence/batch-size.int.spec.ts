import { TransientFault } from '@carbon/faults';
import { Logger } from '@nestjs/common';
import { audit } from '../ledger-cli/audit.js';
import { inSnapshot } from '../ledger-cli/snapshot.js';
import { openDatabase, TestDatabase } from '../test-database.js';
import { pool, request } from '../test-events.js';
import { BatchSize, inHalves } from './batch-size.js';
import type { Database } from './database.js';

const OFFSETS = 200;
const STATEMENT_MS = 1_500;
/** So much for a row that all of them are too much for one statement. */
const SLOW_SECONDS = 0.015;

describe('work that is too much for one statement', () => {
  let test: TestDatabase;
  let hurried: Database;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    test = await TestDatabase.create();
    hurried = await openDatabase(test.url, { statementMs: STATEMENT_MS });
    await test.bring([pool('a')]);
    await test.sql.query(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(${SLOW_SECONDS}); RETURN NEW; END $$;
      CREATE TRIGGER dawdle BEFORE INSERT OR UPDATE ON offsets FOR EACH ROW EXECUTE FUNCTION dawdle();
    `);
  });
  afterAll(async () => {
    await hurried.onApplicationShutdown();
    await test.close();
  });

  /** Until it goes well, as a worker does; gives how often it did not. */
  const persist = async (attempt: () => Promise<unknown>): Promise<number> => {
    for (let failures = 0; ; failures += 1) {
      try {
        if ((await attempt()) === undefined) return failures;
      } catch (error) {
        expect(error).toBeInstanceOf(TransientFault);
        if (failures === 30) throw error;
      }
    }
  };

  it('is done in smaller parts: recording, giving out credits and settling', async () => {
    const steps = test.beside(hurried);
    // Delivered again like any batch that met a silent connection, as it does where the processors are busy.
    const requests = Array.from({ length: OFFSETS }, () => request({ kgCO2e: 1 }));
    await persist(() => steps.record(requests));
    expect(await test.counts()).toEqual({ queued: OFFSETS });
    const retire = steps.retireOffsets;
    const failures = await persist(() => retire.atOnce((settle) => steps.reserveCredits.run(settle)));
    expect(failures).toBeGreaterThan(0);
    expect(await test.counts()).toEqual({ completed: OFFSETS });
    await test.sql.query('ALTER TABLE offsets DISABLE TRIGGER dawdle');
    await test.ask(...Array.from({ length: OFFSETS }, () => 1));
    const claim = await test.reserveCredits.run();
    await test.sql.query('ALTER TABLE offsets ENABLE TRIGGER dawdle');
    await retire.run(claim ?? { token: '', orders: [] });
    expect(await test.counts()).toEqual({ completed: 2 * OFFSETS });
    expect(await inSnapshot(test.url, audit)).toEqual({ faults: [], warnings: [] });
  });

  it('stays an outage where one alone is too much', async () => {
    await test.sql.query('ALTER TABLE offsets ENABLE TRIGGER dawdle');
    const impatient = await openDatabase(test.url, { statementMs: 2 });
    const steps = test.beside(impatient);
    await expect(steps.wish({ kgCO2e: 1 }, request({ kgCO2e: 1 }))).rejects.toBeInstanceOf(TransientFault);
    await impatient.onApplicationShutdown();
  });

  it('is halved and doubled again, and halved for no other reason', async () => {
    const tooMuch = () => hurried.query('SELECT pg_sleep(5)');
    const gone = () => hurried.query('SELECT * FROM nowhere');
    const size = new BatchSize(8);
    const sizes: number[] = [];
    const attempt = (work: () => Promise<unknown>) =>
      size.fitting((most) => work().finally(() => sizes.push(most))).catch(() => {});
    for (const work of [tooMuch, tooMuch, gone, async () => {}, async () => {}, async () => {}]) await attempt(work);
    expect(sizes).toEqual([8, 4, 2, 2, 4, 8]);
    const done: number[][] = [];
    await inHalves([1, 2, 3, 4, 5], async (some) => {
      if (some.length > 2) await tooMuch();
      done.push([...some]);
    });
    expect(done).toEqual([[1, 2], [3], [4, 5]]);
    await expect(inHalves([1, 2], gone)).rejects.toBeInstanceOf(TransientFault);
  });
});
