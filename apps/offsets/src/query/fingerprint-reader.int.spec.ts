import { TestDatabase } from '../testing/database.js';
import { request } from '../testing/events.js';
import { verifyAgain, verifyAnotherServer } from '../testing/open-database.js';
import { FingerprintReader } from './fingerprint-reader.js';

let test: TestDatabase;
let reader: FingerprintReader;
beforeAll(async () => {
  test = await TestDatabase.create();
  reader = new FingerprintReader(test.ownRows);
});
afterAll(() => test.close());

const [recorded, unknown] = [request({ kgCO2e: 1 }), request({ kgCO2e: 2 })];
const found = { account: recorded.account, id: recorded.id, fingerprint: recorded.fingerprint };

describe('the fingerprints of a look-up', () => {
  beforeAll(() => test.record([recorded]));

  it('are complete while the database is the verified one', async () => {
    expect(await reader.findMany([unknown, recorded])).toEqual({ recorded: [found], isComplete: true });
  });

  it('are believed of any database, but that others are not recorded is not', async () => {
    verifyAnotherServer(test.database);
    expect(await reader.findMany([unknown, recorded])).toEqual({ recorded: [found], isComplete: false });
    test.database.fence.release();
    expect(await reader.findMany([recorded])).toEqual({ recorded: [found], isComplete: true });
    await verifyAgain(test.database);
  });
});
