import { fingerprint } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { TestDatabase } from '../testing/database.js';
import { pool, pools, request } from '../testing/events.js';
import { auditOf } from '../testing/ledger.js';

let test: TestDatabase;
beforeEach(async () => {
  test = await TestDatabase.create();
});
afterEach(async () => {
  expect((await auditOf(test.url)).violations).toEqual([]);
  await test.close();
});

describe('reserving credits', () => {
  const reservations = (offset: string) =>
    test.rows('SELECT asset_id, grams, price_micros FROM reservations WHERE offset_id = $1 ORDER BY asset_id', [
      offset,
    ]);
  const supply = () => test.rows('SELECT asset_id, issued, reserved, retired FROM supply ORDER BY asset_id');

  it('finds nothing to do when nothing is queued', async () => {
    expect(await test.reserveCredits.run()).toBe(false);
  });

  it('moves an offset to processing, at the price of what it reserves, due to be claimed', async () => {
    await test.recordAssets([pool('a', { price: 2.5, issued: 1 }), pool('b', { price: 4 })]);
    const [id = ''] = await test.queue(1_500);
    expect(await test.reserveCredits.run()).toBe(true);
    expect(await reservations(id)).toEqual([
      { asset_id: 'pool_a', grams: '1000000', price_micros: '2500000' },
      { asset_id: 'pool_b', grams: '500000', price_micros: '4000000' },
    ]);
    const [row] = await test.rows(
      'SELECT status, cost_micros, registry_attempts, lease_until < now() AS is_due FROM offsets',
    );
    expect(row).toEqual({ status: 'processing', cost_micros: '4500000', registry_attempts: 0, is_due: true });
    expect(await supply()).toEqual([
      { asset_id: 'pool_a', issued: '1000000', reserved: '1000000', retired: '0' },
      { asset_id: 'pool_b', issued: '1000000000', reserved: '500000', retired: '0' },
    ]);
  });

  it('serves the offsets that it can, and fails the others with an event that says why', async () => {
    await test.recordAssets([pool('a', { issued: 30 })]);
    await test.queue(...Array.from({ length: 50 }, () => 1_000));
    await test.reserveCredits.run();
    expect(await test.counts()).toEqual({ processing: 30, failed: 20 });
    const events = await test.rows<{ payload: unknown; type: string }>('SELECT type, payload FROM outbox');
    expect(events).toHaveLength(20);
    expect(events[0]).toMatchObject({
      type: 'offset.failed.v1',
      payload: { code: 'insufficient_supply', kgCO2e: 1_000, fingerprint: fingerprint({ kgCO2e: 1_000 }) },
    });
  });

  it('looks beyond the preferred assets when they do not hold enough', async () => {
    await test.recordAssets(pools(200, 1));
    const [id = '', tooMuch = ''] = await test.queue(150_000, 51_000);
    await test.reserveCredits.run();
    expect(await reservations(id)).toHaveLength(150);
    expect(await test.rows('SELECT status FROM offsets WHERE id = $1', [tooMuch])).toEqual([{ status: 'failed' }]);
  });

  it('ends a batch after 5,000 lines and leaves the rest for the next one', async () => {
    await test.sql.query(
      `INSERT INTO supply (asset_id, type, active, price_micros, published_issued, issued, version, brought_in)
       SELECT 'pool_' || n, 'POOL', true, n, 1000, 1000, 1, 1 FROM generate_series(1, 9000) AS n`,
    );
    await test.queue(...Array.from({ length: 6 }, () => 1_500));
    await test.reserveCredits.run();
    expect(await test.counts()).toEqual({ processing: 4, queued: 2 });
    await test.completeQueued();
    expect(await test.counts()).toEqual({ completed: 6 });
    expect(await test.rows('SELECT count(*)::integer AS entries FROM ledger')).toEqual([{ entries: 9_000 }]);
  });

  it('reserves nothing of assets that are not retirable', async () => {
    const { price: _, ...unpriced } = pool('unpriced');
    const { issued: __, ...unissued } = pool('unissued');
    const { active: ___, ...unknown } = pool('unknown');
    await test.recordAssets([
      unpriced,
      unissued,
      unknown,
      pool('inactive', { active: false }),
      pool('gone'),
      pool('empty', { issued: 0 }),
    ]);
    await test.recordAssets([{ id: 'pool_gone', withdrawn: true }]);
    await test.queue(0.001);
    await test.reserveCredits.run();
    expect(await test.counts()).toEqual({ failed: 1 });
  });

  it('serves the oldest offset first', async () => {
    await test.recordAssets([pool('a', { issued: 1 })]);
    const old = request({ kgCO2e: 1_000 }, { createdAt: new Date(Date.now() - 60_000).toISOString() });
    await test.queue(1_000);
    await test.record([old]);
    await test.reserveCredits.run();
    expect(await test.rows(`SELECT id FROM offsets WHERE status = 'processing'`)).toEqual([{ id: old.id }]);
  });

  it('never reserves a gram twice, however many workers there are', async () => {
    await test.recordAssets([
      pool('a', { issued: 100, price: 1 }),
      pool('b', { issued: 100, price: 2 }),
      pool('c', { issued: 50 }),
    ]);
    await test.queue(...Array.from({ length: 1_200 }, (_, n) => (n % 7) * 100 + 50));
    await test.withOthers(4, async (databases) => {
      const workers = databases.map((database) => test.withDatabase(database).reserveCredits);
      await Promise.all(
        workers.map(async (worker) => {
          while (await worker.run());
        }),
      );
    });
    const [sums] = await test.rows<{ reserved: string }>(
      `SELECT sum(reserved) AS reserved, sum(issued) AS issued,
         (SELECT sum(grams) FROM reservations) AS held,
         (SELECT sum(grams) FROM offsets WHERE status = 'processing') AS processing,
         (SELECT count(*) FROM offsets WHERE status = 'queued') AS queued
       FROM supply`,
    );
    const reserved = sums?.reserved;
    expect(sums).toEqual({ reserved, issued: '250000000', held: reserved, processing: reserved, queued: '0' });
  });
});

describe('supply that changes', () => {
  const supply = async () => (await test.rows('SELECT issued, reserved, retired FROM supply'))[0];

  it('gives nothing while less is issued than retired and reserved, and keeps what was given', async () => {
    await test.recordAssets([pool('a', { issued: 10 })]);
    await test.queue(3_000);
    await test.completeQueued();
    const [held = ''] = await test.queue(4_000);
    await test.reserveCredits.run();
    await test.recordAssets([pool('a', { issued: 2 })]);
    const [short = ''] = await test.queue(0.001);
    await test.reserveCredits.run();
    expect(await test.outcome(short)).toBe('insufficient_supply');
    expect(await supply()).toEqual({ issued: '7000000', reserved: '4000000', retired: '3000000' });
    await test.retireDue();
    expect(await test.outcome(held)).toBe('completed');
    expect(await supply()).toEqual({ issued: '7000000', reserved: '0', retired: '7000000' });
    await test.recordAssets([pool('a', { issued: 7.000001 })]);
    const [much = '', gram = ''] = await test.queue(0.002, 0.001);
    await test.completeQueued();
    expect([await test.outcome(much), await test.outcome(gram)]).toEqual(['insufficient_supply', 'completed']);
  });

  it('completes what is reserved of a withdrawn asset, and allocates nothing more of it', async () => {
    await test.recordAssets([pool('a', { issued: 10 })]);
    const [held = ''] = await test.queue(4_000);
    await test.reserveCredits.run();
    await test.recordAssets([{ id: 'pool_a', withdrawn: true }]);
    const [late = ''] = await test.queue(1);
    await test.completeQueued();
    expect([await test.outcome(held), await test.outcome(late)]).toEqual(['completed', 'insufficient_supply']);
  });

  it('is read after it is locked, so an earlier withdrawal counts', async () => {
    await test.recordAssets([pool('a', { issued: 10 }), pool('b', { issued: 10, price: 20 })]);
    const [id = ''] = await test.queue(1_000);
    const withdrawn = await test.hold(`UPDATE supply SET active = false WHERE asset_id = 'pool_a'`);
    const deciding = test.reserveCredits.run();
    await eventually(async () => expect(await test.blocked()).toBe(1), { every: 5 });
    await withdrawn();
    await deciding;
    expect(await test.rows('SELECT asset_id FROM reservations WHERE offset_id = $1', [id])).toEqual([
      { asset_id: 'pool_b' },
    ]);
  });

  it('is decided again for an offset with too few credits while assets were published; the others do not wait', async () => {
    await test.recordAssets([pool('a', { issued: 10 }), pool('b', { issued: 10, price: 20 })]);
    await test.sql.query(`UPDATE supply SET active = false WHERE asset_id = 'pool_b'`);
    const [large = '', small = ''] = await test.queue(15_000, 1_000);
    const published = await test.hold('UPDATE supply SET active = true');
    const deciding = test.reserveCredits.run();
    await eventually(async () => expect(await test.blocked()).toBe(1), { every: 5 });
    await published();
    await deciding;
    expect([await test.outcome(large), await test.outcome(small)]).toEqual(['queued', 'processing']);
    await test.reserveCredits.run();
    expect(await test.outcome(large)).toBe('processing');
  });

  it('is decided again for an offset of too many small assets while a preferred one was published', async () => {
    await test.sql.query(
      `INSERT INTO supply (asset_id, type, active, price_micros, published_issued, issued, version, brought_in)
       SELECT 'pool_' || n, 'POOL', true, n + 1, 1000, 1000, 1, 1 FROM generate_series(1, 2600) AS n`,
    );
    await test.recordAssets([pool('large', { price: 0.000001, active: false })]);
    const [scattered = '', small = ''] = await test.queue(2_501, 1);
    // The last of the small pools is locked, so the batch waits only once it reads all of them.
    const published = await test.hold(`UPDATE supply SET active = true WHERE asset_id IN ('pool_large', 'pool_2600')`);
    const deciding = test.reserveCredits.run();
    await eventually(async () => expect(await test.blocked()).toBe(1), { every: 5 });
    await published();
    await deciding;
    expect([await test.outcome(scattered), await test.outcome(small)]).toEqual(['queued', 'processing']);
    await test.reserveCredits.run();
    expect(await test.outcome(scattered)).toBe('processing');
  });
});
