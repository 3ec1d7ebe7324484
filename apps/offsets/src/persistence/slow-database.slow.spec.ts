import { TransientError } from '@carbon/http';
import { startProxyOf, type TcpProxy } from '@carbon/local';
import { Logger } from '@nestjs/common';
import { audit } from '../cli/audit.js';
import { inSnapshot } from '../cli/snapshot.js';
import { claimReserved } from '../fulfillment/claim.js';
import { LEASE_SECONDS, withLease } from '../fulfillment/lease.js';
import { TestDatabase } from '../testing/database.js';
import { pool, request } from '../testing/events.js';
import { openDatabase } from '../testing/open-database.js';
import { BatchSize, splitIfTooLarge } from './batch-size.js';
import { Database } from './database.js';

Logger.overrideLogger(false);

const OFFSETS = 200;
const STATEMENT_MS = 1_500;
/** The delay per row, long enough that one statement cannot write all rows before its timeout. */
const SLOW_SECONDS = 0.015;
const slowTrigger = (seconds: number) => `
  CREATE OR REPLACE FUNCTION slow_write() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$;`;

describe('a batch that is too large for one statement', () => {
  let test: TestDatabase;
  let withShortTimeout: Database;
  beforeAll(async () => {
    test = await TestDatabase.create();
    // The timeout is the server's, also when this process pauses.
    withShortTimeout = await openDatabase(test.url, { statementMs: STATEMENT_MS, responseMs: 60_000 });
    await test.recordAssets([pool('a')]);
    await test.sql.query(`
      ${slowTrigger(SLOW_SECONDS)}
      CREATE TRIGGER slow_write BEFORE INSERT OR UPDATE ON offsets FOR EACH ROW EXECUTE FUNCTION slow_write();
    `);
  });
  afterAll(async () => {
    await withShortTimeout.onApplicationShutdown();
    await test.close();
  });

  /** Retries until it succeeds, like a worker; returns the number of failures. */
  const retryUntilDone = async (attempt: () => Promise<unknown>): Promise<number> => {
    for (let failures = 0; ; failures += 1) {
      try {
        if (!(await attempt())) return failures;
      } catch (error) {
        expect(error).toBeInstanceOf(TransientError);
        if (failures === 30) throw error;
      }
    }
  };

  it('is processed in smaller parts: recording, allocating and retiring', async () => {
    const steps = test.withDatabase(withShortTimeout);
    // The batch is retried after a failure, as Kafka redelivers a batch when a connection stops responding, which also
    // happens when the CPUs are busy.
    const requests = Array.from({ length: OFFSETS }, () => request({ kgCO2e: 1 }));
    await retryUntilDone(() => steps.record(requests));
    expect(await test.counts()).toEqual({ queued: OFFSETS });
    const path = steps.path();
    const failures = await retryUntilDone(() => path.completeQueued());
    expect(failures).toBeGreaterThan(0);
    expect(await test.counts()).toEqual({ completed: OFFSETS });
    await test.sql.query('ALTER TABLE offsets DISABLE TRIGGER slow_write');
    await test.queue(...Array.from({ length: OFFSETS }, () => 1));
    await test.reserveCredits.run();
    await test.sql.query('ALTER TABLE offsets ENABLE TRIGGER slow_write');
    await retryUntilDone(async () => {
      await steps.retireOffsets.run();
      await steps.retireOffsets.idle();
      return (await test.counts()).processing !== undefined;
    });
    expect(await test.counts()).toEqual({ completed: 2 * OFFSETS });
    expect(await inSnapshot(test.url, audit)).toEqual({ violations: [], warnings: [], violationCount: 0 });
  });

  it('still fails as an outage if a single row is too slow', async () => {
    await test.sql.query(slowTrigger(2 * (STATEMENT_MS / 1_000)));
    const steps = test.withDatabase(withShortTimeout);
    await expect(steps.queueOne({ kgCO2e: 1 }, request({ kgCO2e: 1 }))).rejects.toBeInstanceOf(TransientError);
  });

  it('is halved after a statement timeout, doubled again after a success, and not halved after any other error', async () => {
    const tooSlow = () => withShortTimeout.query('SELECT pg_sleep(5)');
    const broken = () => withShortTimeout.query('SELECT * FROM nowhere');
    const size = new BatchSize(8);
    const sizes: number[] = [];
    const attempt = (work: () => Promise<unknown>) =>
      size.withCurrentSize((current) => work().finally(() => sizes.push(current))).catch(() => {});
    for (const work of [tooSlow, tooSlow, broken, async () => {}, async () => {}, async () => {}]) await attempt(work);
    expect(sizes).toEqual([8, 4, 2, 2, 4, 8]);
    const done: number[][] = [];
    await splitIfTooLarge([1, 2, 3, 4, 5], async (some) => {
      if (some.length > 2) await tooSlow();
      done.push([...some]);
    });
    expect(done).toEqual([[1, 2], [3], [4, 5]]);
    await expect(splitIfTooLarge([1, 2], broken)).rejects.toBeInstanceOf(TransientError);
  });
});

/** The size of the pool. */
const CONCURRENCY = 6;
/** The statement timeout is five seconds; the silence never ends. */
const TIMEOUT_MS = 20_000;

const together = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: CONCURRENCY }, work));

/** Runs `work` with a database behind a proxy that can become silent, all of whose connections are open. */
async function behindProxy(work: (database: Database, proxy: TcpProxy) => Promise<void>): Promise<void> {
  const test = await TestDatabase.create();
  const proxy = await startProxyOf(test.url);
  const database = await openDatabase(proxy.through(test.url), { statementMs: 5_000 });
  try {
    await together(() => database.query('SELECT pg_sleep(0.2)'));
    await work(database, proxy);
  } finally {
    await database.onApplicationShutdown();
    await proxy.close();
    await test.close();
  }
}

// From here on, each mostly waits for timeouts, and has its own database, so they run concurrently with all others.
describe('a database that becomes silent without closing its connections', () => {
  it.concurrent.each([
    ['statements', (database: Database) => database.query('SELECT 1')],
    ['transactions', (database: Database) => database.transaction((query) => query('SELECT 1'))],
  ])('rejects %s with a TransientError within the time limit, and runs new ones on new connections', (_, ask) =>
    behindProxy(async (database, proxy) => {
      proxy.silence();
      const before = performance.now();
      for (const { status, ...rest } of await together(() => ask(database))) {
        expect(status).toBe('rejected');
        expect(rest).toEqual({ reason: expect.any(TransientError) });
      }
      expect(performance.now() - before).toBeLessThan(TIMEOUT_MS);
      for (const { status } of await together(() => ask(database))) expect(status).toBe('fulfilled');
      expect(performance.now() - before).toBeLessThan(2 * TIMEOUT_MS);
    }),
  );

  it.concurrent('fails a transaction that it interrupts', () =>
    behindProxy(async (database, proxy) => {
      const before = performance.now();
      const interrupted = database.transaction(async (query) => {
        await query('SELECT 1');
        proxy.silence();
        await query('SELECT 2');
      });
      await expect(interrupted).rejects.toBeInstanceOf(TransientError);
      expect(performance.now() - before).toBeLessThan(TIMEOUT_MS);
    }));
});

describe('a lease', () => {
  /** The size of the test database's pool. */
  const CONNECTIONS = 6;
  const BUSY_SECONDS = 4.5;

  it.concurrent('is renewed while other queries of the process keep all connections busy', async () => {
    const test = await TestDatabase.create();
    await test.recordAssets([pool('a')]);
    const ids = await test.queue(1, 2);
    await test.reserveCredits.run();
    const { token } = await test.database.transaction((query) =>
      claimReserved(query, { limit: 2, isExternal: false, maxWaitMs: 0 }),
    );
    const busy = () => test.database.query('SELECT pg_sleep($1)', [BUSY_SECONDS]);
    await withLease(test.database.urgent, 'offsets', token, ids, async () => {
      await Promise.all(Array.from({ length: CONNECTIONS }, busy));
      const held = await test.rows<{ seconds: number }>(
        'SELECT extract(epoch FROM lease_until - processing_at)::float AS seconds FROM offsets',
      );
      expect(held).toHaveLength(2);
      for (const { seconds } of held) expect(seconds).toBeGreaterThan(LEASE_SECONDS + 1.5);
    });
    await test.close();
  });
});
