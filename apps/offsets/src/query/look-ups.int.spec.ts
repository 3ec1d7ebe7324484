import { WakeSignals } from '../fulfillment/wake-signal.js';
import { TestDatabase } from '../testing/database.js';
import { request } from '../testing/events.js';
import { verifyAgain, verifyAnotherServer } from '../testing/open-database.js';
import { FingerprintReader } from './fingerprint-reader.js';
import { OffsetReader } from './offset-reader.js';

let test: TestDatabase;
let fingerprints: FingerprintReader;
let offsets: OffsetReader;
const [recorded, failed, unknown] = [request({ kgCO2e: 1 }), request({ kgCO2e: 2 }), request({ kgCO2e: 3 })];
const found = { account: recorded.account, id: recorded.id, fingerprint: recorded.fingerprint };

beforeAll(async () => {
  test = await TestDatabase.create();
  fingerprints = new FingerprintReader(test.ownRows);
  offsets = new OffsetReader(test.ownRows, new WakeSignals());
  await test.record([recorded, failed]);
  await test.database.query(
    `UPDATE offsets SET status = 'failed', failure_code = 'insufficient_supply', failure_detail = 'none',
       processing_at = now(), failed_at = now() WHERE id = $1`,
    [failed.id],
  );
});
afterAll(() => test.close());

/** The status of each view, or null. */
const statuses = async () =>
  (await offsets.findMany([unknown, recorded, failed])).views.map((view) => view && JSON.parse(view).status);

describe('a look-up of many offsets', () => {
  it('is complete while the database is the verified one', async () => {
    expect(await fingerprints.findMany([unknown, recorded])).toEqual({ recorded: [found], isComplete: true });
    expect(await statuses()).toEqual([null, 'queued', 'failed']);
  });

  it('believes any database what is final, but neither that others are not recorded nor that they are unfinished', async () => {
    verifyAnotherServer(test.database);
    expect(await fingerprints.findMany([unknown, recorded])).toEqual({ recorded: [found], isComplete: false });
    expect(await statuses()).toEqual([null, null, 'failed']);
    test.database.fence.release();
    expect(await fingerprints.findMany([recorded])).toEqual({ recorded: [found], isComplete: true });
    await verifyAgain(test.database);
  });

  it('returns the same view for each look-up of one offset', async () => {
    const completed = request({ kgCO2e: 4 });
    await test.record([completed]);
    await test.database.query(
      `UPDATE offsets SET status = 'completed', cost_micros = 1, processing_at = now(), completed_at = now() WHERE id = $1`,
      [completed.id],
    );
    await test.database.query(
      `INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash)
       VALUES ('pool_z', 1, $1, 4000, 1, now(), sha256('z'))`,
      [completed.id],
    );
    const [alone] = (await offsets.findMany([completed])).views;
    expect(JSON.parse(alone ?? '')).toMatchObject({ retirements: [{ asset: 'pool_z' }] });
    expect((await offsets.findMany([completed, completed])).views).toEqual([alone, alone]);
  });

  it('leaves out views beyond what the gateway reads of one response', async () => {
    const long = Array.from({ length: 4 }, () => request({ kgCO2e: 1 }));
    await test.record(long);
    await test.database.query(
      `UPDATE offsets SET status = 'failed', failure_code = 'insufficient_supply', failure_detail = repeat('x', 600000),
         processing_at = now(), failed_at = now() WHERE id = ANY ($1)`,
      [long.map(({ id }) => id)],
    );
    const { views } = await offsets.findMany(long);
    expect(views.map((view) => view !== null)).toEqual([true, true, false, false]);
  });
});
