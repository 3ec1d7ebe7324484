import { eventually } from '@carbon/testing';
import { BuiltInRegistry, type RegistryAnswer } from '../registry/registry.js';
import { DAY_MS, TestDatabase } from '../testing/database.js';
import { ids, pool, pools, request } from '../testing/events.js';
import { auditOf } from '../testing/ledger.js';

class RefusingRegistry extends BuiltInRegistry {
  override async retire(): Promise<RegistryAnswer> {
    return { outcome: 'refused', detail: 'No.' };
  }
}

let test: TestDatabase;
beforeEach(async () => {
  test = await TestDatabase.create();
});
afterEach(async () => {
  expect((await auditOf(test.url)).violations).toEqual([]);
  await test.close();
});

/** Accepted a minute ago, in this order, whatever the order in which they are recorded. */
const begin = Date.now() - 60_000;
const accepted = (place: number) => ({ createdAt: new Date(begin + place).toISOString() });

describe('an offset that names an estimate', () => {
  beforeEach(() =>
    test.recordAssets([pool('a', { price: 2, issued: 1 }), pool('b', { price: 3 }), pool('c', { price: 4 })]),
  );

  /** Decides and retires everything that is queued; returns the outcomes of these offsets. */
  const settle = async (...recorded: Promise<string>[]) => {
    const offsets: string[] = [];
    for (const one of recorded) offsets.push(await one);
    await test.completeQueued();
    return Promise.all(offsets.map((id) => test.outcome(id)));
  };
  const nothingRetired = async () => {
    expect(await test.rows('SELECT sum(reserved + retired)::integer AS taken FROM supply')).toEqual([{ taken: 0 }]);
    expect(await test.rows('SELECT * FROM reservations')).toEqual([]);
  };

  it('is retired from the assets of the estimate at its prices, whatever they cost now', async () => {
    const estimateId = await test.estimate(1_500);
    await test.recordAssets([pool('a', { price: 9, issued: 1 }), pool('b', { price: 8 }), pool('c', { price: 1 })]);
    expect(await settle(test.queueOne({ kgCO2e: 1_500, estimateId }))).toEqual(['completed']);
    expect(await test.rows('SELECT asset_id, grams, price_micros FROM ledger ORDER BY asset_id')).toEqual([
      { asset_id: 'pool_a', grams: '1000000', price_micros: '2000000' },
      { asset_id: 'pool_b', grams: '500000', price_micros: '3000000' },
    ]);
    expect(await test.rows('SELECT cost_micros FROM offsets')).toEqual([{ cost_micros: '3500000' }]);
  });

  it('is retired from the asset that the estimate names, even if others are preferred', async () => {
    await test.recordAssets(pools(60, 1, 'cheap').map((each) => ({ ...each, price: 0.5 })));
    const estimateId = await test.estimate(700, { asset: 'pool_c' });
    expect(await settle(test.queueOne({ kgCO2e: 700, estimateId }), test.queueOne({ kgCO2e: 20_000 }))).toEqual([
      'completed',
      'completed',
    ]);
    const [dear] = await test.rows(`SELECT grams FROM ledger WHERE asset_id = 'pool_c'`);
    expect(dear).toEqual({ grams: '700000' });
    expect(await test.rows(`SELECT count(*)::integer AS n FROM ledger WHERE price_micros = 500000`)).toEqual([
      { n: 20 },
    ]);
  });

  it('fails with estimate_not_found when its account has no such estimate, and its event repeats the id', async () => {
    const estimateId = await test.estimate(1_000, { account: 'acme' });
    const names = [estimateId, ids.generate('est', 'default'), '{"} est, NULL'];
    const outcomes = await settle(...names.map((name) => test.queueOne({ kgCO2e: 1_000, estimateId: name })));
    expect(outcomes).toEqual(names.map(() => 'estimate_not_found'));
    await nothingRetired();
    const payload = { code: 'estimate_not_found', estimateId };
    expect(await test.rows('SELECT type, payload FROM outbox')).toContainEqual({
      type: 'offset.failed.v1',
      payload: expect.objectContaining(payload),
    });
    expect(await settle(test.queueOne({ kgCO2e: 1_000, estimateId }, { account: 'acme' }))).toEqual(['completed']);
  });

  it('fails with estimate_expired when it was accepted more than 5 s after the expiry, but not when it is only decided later', async () => {
    const createdAt = new Date(Date.now() - 2 * DAY_MS);
    const late = (ms: number) => ({ createdAt: new Date(createdAt.getTime() + DAY_MS + ms).toISOString() });
    const [expired, valid] = [await test.estimate(100, { createdAt }), await test.estimate(100, { createdAt })];
    expect(
      await settle(
        test.queueOne({ kgCO2e: 100, estimateId: expired }, late(5_001)),
        test.queueOne({ kgCO2e: 100, estimateId: valid }, late(5_000)),
      ),
    ).toEqual(['estimate_expired', 'completed']);
  });

  it('fails with estimate_used while another offset is processing or has completed by the estimate', async () => {
    const estimateId = await test.estimate(100);
    await test.queueOne({ kgCO2e: 100, estimateId });
    await test.reserveCredits.run();
    const second = await test.queueOne({ kgCO2e: 100, estimateId });
    await test.reserveCredits.run();
    expect(await test.outcome(second)).toBe('estimate_used');
    await test.retireDue();
    expect(await settle(test.queueOne({ kgCO2e: 100, estimateId }))).toEqual(['estimate_used']);
    expect(await test.counts()).toEqual({ completed: 1, failed: 2 });
  });

  it('fails with estimate_used when an older offset of its batch uses the estimate', async () => {
    const [one, other] = [await test.estimate(100), await test.estimate(200)];
    expect(
      await settle(
        test.queueOne({ kgCO2e: 100, estimateId: one }, accepted(2)),
        test.queueOne({ kgCO2e: 100, estimateId: one }, accepted(1)),
        test.queueOne({ kgCO2e: 201, estimateId: other }, accepted(3)),
        test.queueOne({ kgCO2e: 200, estimateId: other }, accepted(4)),
        test.queueOne({ kgCO2e: 5 }, accepted(5)),
      ),
    ).toEqual(['estimate_used', 'completed', 'estimate_mismatch', 'completed', 'completed']);
  });

  it('may name an estimate whose other offset the registry refused', async () => {
    const estimateId = await test.estimate(100);
    const refused = await test.queueOne({ kgCO2e: 100, estimateId });
    await test.reserveCredits.run();
    await test.retireDue(test.retiring(new RefusingRegistry()));
    expect(await test.outcome(refused)).toBe('registry_refused');
    expect(await settle(test.queueOne({ kgCO2e: 100, estimateId }))).toEqual(['completed']);
  });

  it.each([
    ['was withdrawn', { id: 'pool_a', withdrawn: true as const }],
    ['is not active any more', pool('a', { active: false })],
    ['has no price any more', { ...pool('a', { issued: 1 }), price: undefined }],
    ['has no issued supply any more', { ...pool('a', { price: 2 }), issued: undefined }],
    ['is short of a gram', pool('a', { price: 2, issued: 0.999999 })],
  ])('fails with insufficient_supply when an asset of it %s, even if other assets have plenty', async (_, change) => {
    const estimateId = await test.estimate(1_500);
    await test.recordAssets([change]);
    expect(await settle(test.queueOne({ kgCO2e: 1_500, estimateId }), test.queueOne({ kgCO2e: 1 }))).toEqual([
      'insufficient_supply',
      'completed',
    ]);
    await test.recordAssets([pool('a', { price: 2, issued: 5 })]);
    expect(await settle(test.queueOne({ kgCO2e: 1_500, estimateId }))).toEqual(['completed']);
  });

  it('is named by the estimate that it has used, and not if it failed', async () => {
    const estimateId = await test.estimate(1_000);
    const estimate = () => test.estimates.find('default', estimateId);
    expect(await settle(test.queueOne({ kgCO2e: 1, estimateId }))).toEqual(['estimate_mismatch']);
    expect(await estimate()).not.toHaveProperty('usedBy');
    const id = await test.queueOne({ kgCO2e: 1_000, estimateId });
    await settle();
    expect(await estimate()).toMatchObject({ usedBy: id });
  });

  it('reserves no supply: the first offset gets the credits', async () => {
    const estimateId = await test.estimate(1_000, { asset: 'pool_a' });
    expect(await settle(test.queueOne({ kgCO2e: 1 }))).toEqual(['completed']);
    expect(await settle(test.queueOne({ kgCO2e: 1_000, estimateId }))).toEqual(['insufficient_supply']);
  });
});

describe('offsets that name large estimates', () => {
  const LINES = 1_500;

  it('are decided a few at a time, and do not delay offsets without an estimate', async () => {
    await test.recordAssets(pools(LINES, 0.001));
    const [first, second] = [await test.estimate(LINES), await test.estimate(LINES)];
    await test.recordAssets(pools(LINES, 1));
    const states = (all: readonly string[]) => Promise.all(all.map((id) => test.outcome(id)));
    const large = (estimateId: string, place: number) => request({ kgCO2e: LINES, estimateId }, accepted(place));
    const one = large(first, 0);
    // More than a batch of them, all before the offset without an estimate.
    const others = Array.from({ length: 600 }, (_, n) => large(second, 1 + n));
    const plain = request({ kgCO2e: 1 }, accepted(1_000));
    await test.record([one, ...others, plain]);
    const oldest = others[0]?.id ?? '';

    await test.reserveCredits.run();
    expect(await states([one.id, oldest, plain.id])).toEqual(['processing', 'queued', 'processing']);
    expect(await test.counts()).toEqual({ processing: 2, queued: 600 });

    await test.reserveCredits.run();
    expect(await states([oldest])).toEqual(['processing']);
    while ((await test.counts()).queued) await test.reserveCredits.run();
    expect(await test.counts()).toEqual({ processing: 3, failed: 599 });
  });
});

describe('workers that race for an estimate', () => {
  it('decide one after the other: the second one sees the result of the first, and its batch continues', async () => {
    await test.recordAssets([pool('a')]);
    const estimateId = await test.estimate(100);
    const twice = [await test.queueOne({ kgCO2e: 100, estimateId }), await test.queueOne({ kgCO2e: 100, estimateId })];
    const withoutEstimate = await test.queueOne({ kgCO2e: 5 });
    await test.withOthers(2, async (databases) => {
      const [one, other] = databases.map((database) => test.withDatabase(database).reserveCredits);
      // The first worker cannot reach the second offset, and then stops before it locks the supply.
      const second = await test.hold('SELECT FROM offsets WHERE id = ANY ($1) FOR UPDATE', [
        [twice[1], withoutEstimate],
      ]);
      const supply = await test.hold('SELECT FROM supply FOR UPDATE');
      const first = one?.run();
      await eventually(async () => expect(await test.blocked()).toBe(1), { every: 5 });
      await second();
      const later = other?.run();
      await eventually(async () => expect(await test.blocked()).toBe(2), { every: 5 });
      await supply();
      await Promise.all([first, later]);
    });
    const outcomes = await Promise.all([...twice, withoutEstimate].map((id) => test.outcome(id)));
    expect(outcomes).toEqual(['processing', 'estimate_used', 'processing']);
  });
});
