import { type OffsetRequestedV1, offsetCompletedV1 } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { chainStart } from '../domain/ledger-chain.js';
import { RelayQueue } from '../outbox/outbox-relay.js';
import { type Registry } from '../registry/registry.js';
import { TestDatabase } from '../testing/database.js';
import { pool, request } from '../testing/events.js';
import { expectConsistent } from '../testing/ledger.js';
import { createRegistryClient } from '../testing/registry-bench.js';
import { ReadinessGate } from './readiness-gate.js';

const WRITTEN = {
  offsets: `id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent, cost_micros,
    failure_code, created_at, lease_token, announced_at, registry_attempts`,
  supply: 'asset_id, issued, reserved, retired',
  ledger: 'asset_id, sequence, offset_id, grams, price_micros, registry_reference',
  outbox: 'event_id, offset_id, type, traceparent, published_at',
  reservations: '*',
};
const hourFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const ASSETS = [pool('a', { price: 5, issued: 1 }), pool('b', { price: 20, issued: 5 })];

let test: TestDatabase;
let queue: RelayQueue;
beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  test = await TestDatabase.create();
  queue = new RelayQueue();
  await test.recordAssets(ASSETS);
});
afterEach(async () => {
  await expectConsistent(test.url);
  await test.close();
});

const pathOf = (of = test, differently: { readonly gate?: ReadinessGate; readonly registry?: Registry } = {}) =>
  of.path(queue, differently.registry, differently.gate);
/** Returns which of these requests are completed while they are recorded. */
const arrive = async (requests: readonly OffsetRequestedV1[], path = pathOf()) => {
  const rows = test.arrivals(...requests).map(({ row }) => row);
  const completed = await path.completeNew(rows);
  return rows.map((row) => completed.has(row));
};
const rowsOf = async (of: TestDatabase) => {
  const found: Record<string, object[]> = {};
  for (const [table, columns] of Object.entries(WRITTEN))
    found[table] = await of.rows(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`);
  return found;
};

describe('an offset that is completed in one transaction', () => {
  it('is written as by completing from queued, and as by reserving and retiring', async () => {
    const [queued, reserved] = [await TestDatabase.create(), await TestDatabase.create()];
    await Promise.all([queued, reserved].map((each) => each.recordAssets(ASSETS)));
    const requests = [
      request({ kgCO2e: 600, customerRef: 'u "1" \\ {a,b}, NULL' }),
      request({ kgCO2e: 700.5 }, { account: 'acme' }),
      request({ kgCO2e: 10 }),
    ];
    expect(await arrive(requests)).toEqual([true, true, true]);
    for (const one of requests) for (const each of [queued, reserved]) await each.record([one]);
    await pathOf(queued).completeQueued();
    await reserved.completeQueued();
    const rows = await rowsOf(test);
    expect(await rowsOf(queued)).toEqual(rows);
    expect(await rowsOf(reserved)).toEqual(rows);
    expect(await test.counts()).toEqual({ completed: 3 });
    await Promise.all([queued.close(), reserved.close()]);
  });

  it('has the dates of both transitions by the clock of PostgreSQL, and is not created after them', async () => {
    const [past, future] = [hourFromNow(-1), hourFromNow(1)].map((createdAt) => request({ kgCO2e: 1 }, { createdAt }));
    await arrive([past, future] as [OffsetRequestedV1, OffsetRequestedV1]);
    const rows = await test.rows<Record<string, Date>>('SELECT * FROM offsets ORDER BY created_at');
    const [{ at } = { at: undefined }] = await test.rows<{ at: Date }>('SELECT DISTINCT at FROM ledger');
    for (const row of rows) expect([row.processing_at, row.completed_at, row.updated_at]).toEqual([at, at, at]);
    expect(rows.map(({ id, created_at }) => [id, created_at])).toEqual([
      [past?.id, new Date(past?.createdAt ?? '')],
      [future?.id, at],
    ]);
    expect(Math.abs((at?.getTime() ?? 0) - Date.now())).toBeLessThan(600_000);
  });

  it('hands its event to the relay, leased under its token', async () => {
    const one = request({ kgCO2e: 1 });
    await arrive([one]);
    const lot = queue.shift();
    const [row] = await test.rows<Record<string, unknown>>('SELECT *, payload::text AS payload FROM outbox');
    expect(row).toMatchObject({ lease_token: lot?.token, lease_until: expect.any(Date), published_at: null });
    expect(row).toMatchObject(lot?.rows[0] ?? { missing: true });
    const event = offsetCompletedV1.parse(JSON.parse(lot?.rows[0]?.payload ?? ''));
    expect(event).toMatchObject({ id: one.id, createdAt: one.createdAt, fingerprint: one.fingerprint });
    const before = chainStart(event.retirements[0]?.asset ?? '').hash.toString('hex');
    expect(event.retirements).toMatchObject([{ sequence: '1', previousHash: before }]);
  });

  it('leaves its event in the outbox while the relay is busy', async () => {
    for (let n = 0; n < 4; n += 1) {
      await test.queue(1);
      await pathOf().completeQueued();
    }
    const held = await test.rows('SELECT event_id FROM outbox WHERE lease_token IS NOT NULL');
    expect(held).toHaveLength(3);
    expect(
      [queue.shift(), queue.shift(), queue.shift(), queue.shift()].filter((lot) => lot !== undefined),
    ).toHaveLength(3);
  });

  it('stays queued with all its changes undone when the transaction fails', async () => {
    await test.queue(600, 700);
    const before = await rowsOf(test);
    await test.sql.query('ALTER TABLE outbox ADD CONSTRAINT refused CHECK (false) NOT VALID');
    await expect(pathOf().completeQueued()).rejects.toThrow('refused');
    expect(await rowsOf(test)).toEqual(before);
    expect(queue.shift()).toBeUndefined();
    await test.sql.query('ALTER TABLE outbox DROP CONSTRAINT refused');
    await pathOf().completeQueued();
    expect(await test.counts()).toEqual({ completed: 2 });
  });
});

describe('new offsets that are completed as they are recorded', () => {
  it('are only valid ones without an estimate, each once', async () => {
    const one = request({ kgCO2e: 1 });
    const onTerms = request({ kgCO2e: 1, estimateId: await test.estimate(1) });
    const wrong = { ...request({ kgCO2e: 1 }), grams: '999' };
    expect(await arrive([onTerms, one, wrong, one])).toEqual([false, true, false, false]);
    expect(await test.rows('SELECT id FROM offsets')).toEqual([{ id: one.id }]);
  });

  it.each([
    ['one of them has been recorded before', {}, [1, 2]],
    ['each needs more than is available', {}, [1e9, 2e9]],
    ['the supply is not known yet', { gate: new ReadinessGate() }, [1, 2]],
    ['the registry is external', { registry: createRegistryClient({ url: 'http://127.0.0.1:9' }) }, [1, 2]],
  ])('are none when %s, and nothing is written', async (what, differently, kilograms) => {
    const requests = kilograms.map((kgCO2e) => request({ kgCO2e }));
    if (what.includes('recorded')) await test.record(requests.slice(1));
    const before = await rowsOf(test);
    expect(await arrive(requests, pathOf(test, differently))).toEqual([false, false]);
    expect(await rowsOf(test)).toEqual(before);
    expect(queue.shift()).toBeUndefined();
  });

  it('leave out an offset with too few credits, because which one fails is decided among all that are queued', async () => {
    const requests = [1, 1e9, 2].map((kgCO2e) => request({ kgCO2e }));
    expect(await arrive(requests)).toEqual([true, false, true]);
    expect(await test.counts()).toEqual({ completed: 2 });
    expect(queue.shift()?.rows).toHaveLength(2);
  });

  it('are none when the database refuses a row, and nothing is written', async () => {
    await test.sql.query('ALTER TABLE outbox ADD CONSTRAINT refused CHECK (false) NOT VALID');
    const before = await rowsOf(test);
    const one = request({ kgCO2e: 1 });
    expect(await arrive([one])).toEqual([false]);
    expect(await rowsOf(test)).toEqual(before);
    await test.sql.query('ALTER TABLE outbox DROP CONSTRAINT refused');
    expect(await arrive([one])).toEqual([true]);
  });

  it('are none after a stop, which waits for those in progress', async () => {
    const path = pathOf();
    const [first, second] = [request({ kgCO2e: 1 }), request({ kgCO2e: 2 })];
    const passing = arrive([first], path);
    await new Promise(setImmediate);
    await path.stop();
    expect(await test.counts()).toEqual({ completed: 1 });
    expect(queue.shift()?.rows).toHaveLength(1);
    expect(await arrive([second], path)).toEqual([false]);
    expect(await passing).toEqual([true]);
  });

  describe('while another transaction has locked the supply', () => {
    let release: () => Promise<void>;
    beforeEach(async () => {
      release = await test.hold('SELECT FROM supply FOR UPDATE');
    });

    it('are skipped at once when they are redelivered', async () => {
      const one = request({ kgCO2e: 1 });
      await test.record([one]);
      const begun = performance.now();
      expect(await arrive([one])).toEqual([false]);
      // Otherwise it would wait a minute for the lock.
      expect(performance.now() - begun).toBeLessThan(30_000);
      await release();
    });

    it('wait one batch at a time in the database, share a transaction, and are all completed afterwards', async () => {
      const path = pathOf();
      const batches = [1, 2, 3].map((kgCO2e) => arrive([request({ kgCO2e })], path));
      await eventually(async () => expect(await test.blocked()).toBe(1));
      const later: unknown[] = [];
      for (let looks = 0; looks < 20; looks += 1) later.push(await test.blocked());
      await release();
      expect(new Set(later)).toEqual(new Set([1]));
      expect(await Promise.all(batches)).toEqual([[true], [true], [true]]);
      expect((await test.rows('SELECT DISTINCT xmin FROM offsets')).length).toBeLessThan(3);
    });
  });

  it('take no more than is available and are completed once, however many processes get them', async () => {
    const requests = Array.from({ length: 130 }, () => request({ kgCO2e: 50 }));
    await test.withOthers(2, async (others) => {
      const paths = [test, ...others.map((database) => test.withDatabase(database))].map((of) => pathOf(of));
      const halves = [requests.slice(0, 60), requests.slice(30, 110), requests.slice(70)];
      await Promise.all(paths.map((path, n) => arrive(halves[n] ?? [], path)));
    });
    await test.record(requests);
    while (await pathOf().completeQueued());
    expect(await test.counts()).toEqual({ completed: 120, failed: 10 });
    expect(await test.rows('SELECT sum(retired)::text AS retired FROM supply')).toEqual([{ retired: '6000000' }]);
  });
});
