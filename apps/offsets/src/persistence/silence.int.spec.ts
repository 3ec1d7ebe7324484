import { TransientFault } from '@carbon/faults';
import { openDatabase, TestDatabase } from '../test-database.js';
import { Door } from '../test-door.js';
import type { Database } from './database.js';

/** As many as the pool holds. */
const AT_ONCE = 6;
/** A statement may take five seconds; the silence lasts for ever. */
const WITHIN_MS = 20_000;

describe('a database that falls silent without closing its connections', () => {
  let test: TestDatabase;
  let door: Door;
  let database: Database;
  beforeEach(async () => {
    test = await TestDatabase.create();
    door = await Door.before(test.url);
    database = await openDatabase(door.urlOf(test.url), { statementMs: 5_000 });
    await together(() => database.query('SELECT pg_sleep(0.2)'));
  });
  afterEach(async () => {
    await database.onApplicationShutdown();
    await door.close();
    await test.close();
  });

  const together = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: AT_ONCE }, work));

  it.each([
    ['statements', () => database.query('SELECT 1')],
    ['transactions', () => database.transaction((query) => query('SELECT 1'))],
  ])('fails %s in time as an outage, and serves new ones on new connections', async (_, ask) => {
    door.silence();
    const before = performance.now();
    for (const { status, ...rest } of await together(ask)) {
      expect(status).toBe('rejected');
      expect(rest).toEqual({ reason: expect.any(TransientFault) });
    }
    expect(performance.now() - before).toBeLessThan(WITHIN_MS);
    for (const { status } of await together(ask)) expect(status).toBe('fulfilled');
    expect(performance.now() - before).toBeLessThan(2 * WITHIN_MS);
  });

  it('fails a transaction that it interrupts', async () => {
    const before = performance.now();
    const interrupted = database.transaction(async (query) => {
      await query('SELECT 1');
      door.silence();
      await query('SELECT 2');
    });
    await expect(interrupted).rejects.toBeInstanceOf(TransientFault);
    expect(performance.now() - before).toBeLessThan(WITHIN_MS);
  });
});
