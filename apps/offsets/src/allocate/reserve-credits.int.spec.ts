import { fingerprint } from '@carbon/contracts';
import { requested } from '../domain/request.js';
import { preference } from '../domain/test-preference.js';
import { Bells } from '../pace/bell.js';
import { openDatabase, TestDatabase } from '../test-database.js';
import { ids, pool, request } from '../test-events.js';
import { ReserveCredits } from './reserve-credits.js';

describe('reserving credits', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  const reservations = (offset: string) =>
    test.rows('SELECT asset_id, grams, price_micros FROM reservations WHERE offset_id = $1 ORDER BY asset_id', [
      offset,
    ]);
  const supply = () => test.rows('SELECT asset_id, issued, reserved, retired FROM supply ORDER BY asset_id');

  it('finds nothing to do when nothing is queued', async () => {
    expect(await test.reserveCredits.run()).toBeUndefined();
  });

  it('moves an offset to processing, at the price of what it reserves, held under a lease', async () => {
    await test.bring([pool('a', { price: 2.5, issued: 1 }), pool('b', { price: 4 })]);
    const [id = ''] = await test.ask(1_500);
    const claim = await test.reserveCredits.run();
    expect(claim?.orders.map(({ offset }) => offset)).toEqual([id]);
    expect(await reservations(id)).toEqual([
      { asset_id: 'pool_a', grams: '1000000', price_micros: '2500000' },
      { asset_id: 'pool_b', grams: '500000', price_micros: '4000000' },
    ]);
    const [row] = await test.rows(
      `SELECT status, cost_micros, lease_token, lease_until BETWEEN now() + interval '6 s' AND now() + interval '8 s' AS held
       FROM offsets`,
    );
    expect(row).toEqual({ status: 'processing', cost_micros: '4500000', lease_token: claim?.token, held: true });
    expect(await supply()).toEqual([
      { asset_id: 'pool_a', issued: '1000000', reserved: '1000000', retired: '0' },
      { asset_id: 'pool_b', issued: '1000000000', reserved: '500000', retired: '0' },
    ]);
  });

  it('serves whom it can, and fails the others with an event that says why', async () => {
    await test.bring([pool('a', { issued: 30 })]);
    const all = await test.ask(...Array.from({ length: 50 }, () => 1_000));
    const claim = await test.reserveCredits.run();
    expect(claim?.orders).toHaveLength(30);
    expect(await test.counts()).toEqual({ processing: 30, failed: 20 });
    const events = await test.rows<{ payload: unknown; type: string }>('SELECT type, payload FROM outbox');
    expect(events).toHaveLength(20);
    expect(events[0]).toMatchObject({
      type: 'offset.failed.v1',
      payload: { code: 'insufficient_supply', kgCO2e: 1_000, fingerprint: fingerprint({ kgCO2e: 1_000 }) },
    });
    expect(all).toHaveLength(50);
  });

  it('fails an offset that names an estimate, since there is none', async () => {
    await test.bring([pool('a')]);
    const one = request({ kgCO2e: 1, estimateId: 'est_of-somebody' });
    await test.record([one]);
    await test.reserveCredits.run();
    expect(await test.rows('SELECT status, failure_code FROM offsets')).toEqual([
      { status: 'failed', failure_code: 'estimate_not_found' },
    ]);
  });

  it('looks beyond the preferred assets when they do not hold enough', async () => {
    await test.bring(Array.from({ length: 200 }, (_, n) => pool(`p${n}`, { price: n + 1, issued: 1 })));
    const [id = '', tooMuch = ''] = await test.ask(150_000, 51_000);
    await test.reserveCredits.run();
    expect(await reservations(id)).toHaveLength(150);
    expect(await test.rows('SELECT status FROM offsets WHERE id = $1', [tooMuch])).toEqual([{ status: 'failed' }]);
  });

  it('leaves the rest of a batch for the next one when it would be retired from very many small lots', async () => {
    await test.sql.query(
      `INSERT INTO supply (asset_id, type, active, price_micros, published_issued, issued, version, brought_in)
       SELECT 'pool_' || n, 'POOL', true, n, 1000, 1000, 1, 1 FROM generate_series(1, 9000) AS n`,
    );
    await test.ask(...Array.from({ length: 6 }, () => 1_500));
    const first = await test.reserveCredits.run();
    expect(first?.orders).toHaveLength(4);
    expect(await test.counts()).toEqual({ processing: 4, queued: 2 });
    const second = await test.reserveCredits.run();
    for (const claim of [first, second]) if (claim) await test.retireOffsets.run(claim);
    expect(await test.counts()).toEqual({ completed: 6 });
    expect(await test.rows('SELECT count(*)::integer AS entries FROM ledger')).toEqual([{ entries: 9_000 }]);
  });

  it('leaves alone what cannot be retired from', async () => {
    const { price: _, ...unpriced } = pool('unpriced');
    const { issued: __, ...unissued } = pool('unissued');
    const { active: ___, ...unknown } = pool('unknown');
    await test.bring([
      unpriced,
      unissued,
      unknown,
      pool('inactive', { active: false }),
      pool('gone'),
      pool('empty', { issued: 0 }),
    ]);
    await test.bring([{ id: 'pool_gone', withdrawn: true }]);
    await test.ask(0.001);
    await test.reserveCredits.run();
    expect(await test.counts()).toEqual({ failed: 1 });
  });

  it('takes the oldest first', async () => {
    await test.bring([pool('a', { issued: 1 })]);
    const old = request({ kgCO2e: 1_000 }, { createdAt: new Date(Date.now() - 60_000).toISOString() });
    await test.ask(1_000);
    await test.record([old]);
    await test.reserveCredits.run();
    expect(await test.rows(`SELECT id FROM offsets WHERE status = 'processing'`)).toEqual([{ id: old.id }]);
  });

  it('takes the first to arrive first, whatever time its id and its event hold', async () => {
    await test.bring([pool('a', { issued: 1 })]);
    const [first] = (await test.ask(1_000)) as [string];
    const hourAgo = Date.now() - 3_600_000;
    const id = ids.mint('off', 'default', hourAgo);
    const banked = request({ kgCO2e: 1_000 }, { id, createdAt: new Date(hourAgo).toISOString() });
    await test.recordOffsets.run(test.batch(requested(banked)));
    await test.reserveCredits.run();
    expect(await test.rows(`SELECT id FROM offsets WHERE status = 'processing'`)).toEqual([{ id: first }]);
  });

  it('never sells a gram twice, however many workers are at it', async () => {
    await test.bring([
      pool('a', { issued: 100, price: 1 }),
      pool('b', { issued: 100, price: 2 }),
      pool('c', { issued: 50 }),
    ]);
    await test.ask(...Array.from({ length: 1_200 }, (_, n) => (n % 7) * 100 + 50));
    const databases = await Promise.all([1, 2, 3, 4].map(() => openDatabase(test.url)));
    const drain = async (worker: ReserveCredits) => {
      while ((await worker.run()) !== undefined);
    };
    await Promise.all(databases.map((database) => drain(new ReserveCredits(database, new Bells(), preference()))));
    await Promise.all(databases.map((database) => database.onApplicationShutdown()));
    const [sums] = await test.rows(
      `SELECT sum(reserved) AS reserved, sum(issued) AS issued,
         (SELECT sum(grams) FROM reservations) AS held,
         (SELECT sum(grams) FROM offsets WHERE status = 'processing') AS asked,
         (SELECT count(*) FROM offsets WHERE status = 'queued') AS queued
       FROM supply`,
    );
    expect(sums).toMatchObject({ issued: '250000000', queued: '0' });
    expect(sums).toHaveProperty('held', (sums as { reserved: string }).reserved);
    expect(sums).toHaveProperty('asked', (sums as { reserved: string }).reserved);
  });
});
