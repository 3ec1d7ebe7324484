import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { holding, LEASE_SECONDS } from './lease.js';

/** As many as the test's database has. */
const CONNECTIONS = 6;
const BUSY_SECONDS = 4.5;

describe('a lease', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a')]);
  });
  afterAll(() => test.close());

  it('is renewed while everything else that the process asks keeps all of its connections busy', async () => {
    const ids = await test.ask(1, 2);
    const claim = await test.reserveCredits.run();
    const busy = () => test.database.query('SELECT pg_sleep($1)', [BUSY_SECONDS]);
    await holding(test.database.urgent, 'offsets', claim?.token ?? '', ids, async () => {
      await Promise.all(Array.from({ length: CONNECTIONS }, busy));
      const held = await test.rows<{ seconds: number }>(
        'SELECT extract(epoch FROM lease_until - processing_at)::float AS seconds FROM offsets',
      );
      expect(held).toHaveLength(2);
      for (const { seconds } of held) expect(seconds).toBeGreaterThan(LEASE_SECONDS + 1.5);
    });
  });
});
