import { Logger } from '@nestjs/common';
import { audit } from '../ledger-cli/audit.js';
import { inSnapshot } from '../ledger-cli/snapshot.js';
import { verify } from '../ledger-cli/verify.js';
import { FreshEvents } from '../pace/fresh-events.js';
import { openDatabase, TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { LedgerRegistry } from './registry.ledger.js';
import { retireAtOnce } from './retire-at-once.js';

const EVERYTHING = {
  offsets: 'id, account, status, cost_micros, failure_code, lease_token, lease_until, announced_at',
  supply: 'asset_id, issued, reserved, retired',
  ledger: 'asset_id, sequence, offset_id, grams, price_micros',
  reservations: '*',
};

describe('retiring credits in the transaction that gives them out', () => {
  let test: TestDatabase;
  let fresh: FreshEvents;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    test = await TestDatabase.create();
    fresh = new FreshEvents();
    await test.bring([pool('a', { price: 5, issued: 1 }), pool('b', { price: 20, issued: 5 })]);
  });
  afterEach(async () => {
    expect(await inSnapshot(test.url, audit)).toEqual({ faults: [], warnings: [] });
    await inSnapshot(test.url, (ask) => verify(ask, (fault) => expect(fault).toBe('')));
    await test.close();
  });

  const atOnce = (of = test) =>
    of.retiring(new LedgerRegistry(), fresh).atOnce((settle) => of.reserveCredits.run(settle));
  const rowsOf = async (of: TestDatabase) => {
    const found: Record<string, object[]> = {};
    for (const [table, columns] of Object.entries(EVERYTHING))
      found[table] = await of.rows(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`);
    return found;
  };

  it('writes what reserving first and retiring afterwards would have written', async () => {
    const twin = await TestDatabase.create();
    await twin.bring([pool('a', { price: 5, issued: 1 }), pool('b', { price: 20, issued: 5 })]);
    const ids = await test.ask(600, 700.5, 9_000, 10);
    for (const [n, kgCO2e] of [600, 700.5, 9_000, 10].entries()) await twin.wish({ kgCO2e }, { id: ids[n] ?? '' });
    expect(await atOnce()).toMatchObject({ orders: [] });
    await twin.retireOffsets.run((await twin.reserveCredits.run()) ?? { token: '', orders: [] });
    const rows = await rowsOf(test);
    expect(rows).toEqual(await rowsOf(twin));
    expect(rows.offsets).toHaveLength(4);
    expect(rows.reservations).toEqual([]);
    await twin.close();
  });

  it('dates both moves, and lets nobody see the one without the other', async () => {
    await test.ask(1);
    await test.database.transaction(async (query) => {
      await test.reserveCredits.run(async (inner, served) => {
        const { moves } = await retireAtOnce(inner, served);
        expect(await query('SELECT status FROM offsets')).toEqual([{ status: 'queued' }]);
        return moves;
      });
    });
    const [row] = await test.rows<Record<string, Date>>('SELECT * FROM offsets');
    expect(row).toMatchObject({ status: 'completed', processing_at: row?.completed_at, updated_at: row?.completed_at });
  });

  it('leaves all of it queued when the transaction fails', async () => {
    await test.ask(600, 700);
    const before = await rowsOf(test);
    const failing = test.retiring(new LedgerRegistry(), fresh).atOnce((settle) =>
      test.reserveCredits.run(async (query, served) => {
        await settle?.(query, served);
        throw new Error('the last statement failed');
      }),
    );
    await expect(failing).rejects.toThrow('the last statement failed');
    expect(await rowsOf(test)).toEqual(before);
    expect(fresh.take()).toBeUndefined();
    await atOnce();
    expect(await test.counts()).toEqual({ completed: 2 });
  });

  it('gives out no more than there is, whoever else is at it', async () => {
    await test.ask(...Array.from({ length: 1_300 }, () => 5));
    const others = await Promise.all([1, 2].map(() => openDatabase(test.url)));
    const workers = [test, ...others.map((database) => test.beside(database))];
    await Promise.all(
      workers.map(async (worker) => {
        while (
          (await worker.retiring(new LedgerRegistry(), fresh).atOnce((settle) => worker.reserveCredits.run(settle))) !==
          undefined
        );
      }),
    );
    await Promise.all(others.map((database) => database.onApplicationShutdown()));
    expect(await test.counts()).toEqual({ completed: 1_200, failed: 100 });
    expect(await test.rows('SELECT sum(retired)::text AS retired FROM supply')).toEqual([{ retired: '6000000' }]);
  });

  it('holds the events under the token of the lot that it gives to the relay, and asks nobody to look for them', async () => {
    const [id = ''] = await test.ask(1);
    await atOnce();
    const lot = fresh.take();
    const [row] = await test.rows<{ created_at: Date }>('SELECT *, payload::text AS payload FROM outbox');
    expect(row).toMatchObject({ lease_token: lot?.token, lease_until: expect.any(Date), published_at: null });
    const { event_id, offset_id, type, payload, traceparent, created_at, slot } = (row ?? {}) as Record<
      string,
      unknown
    >;
    expect(lot?.events).toEqual([{ event_id, offset_id, type, payload, traceparent, created_at, slot }]);
    expect(offset_id).toBe(id);
  });

  it('leaves the events to be found where the relay has enough in hand', async () => {
    for (let n = 0; n < 4; n += 1) {
      await test.ask(1);
      await atOnce();
    }
    const held = await test.rows('SELECT event_id FROM outbox WHERE lease_token IS NOT NULL');
    expect(held).toHaveLength(3);
    expect([fresh.take(), fresh.take(), fresh.take(), fresh.take()].filter((lot) => lot !== undefined)).toHaveLength(3);
  });
});
