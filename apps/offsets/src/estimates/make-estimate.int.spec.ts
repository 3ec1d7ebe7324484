import { estimateView } from '@carbon/contracts';
import { TransientFault, UserFault } from '@carbon/faults';
import { preference } from '../domain/test-preference.js';
import { SupplyGate } from '../pace/gate.js';
import { TestDatabase } from '../test-database.js';
import { ids, pool } from '../test-events.js';
import { MakeEstimate } from './make-estimate.js';

describe('making an estimate', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  const asked = (kgCO2e: number, asset?: string) => ({
    id: ids.mint('est', 'default'),
    kgCO2e,
    ...(asset !== undefined && { asset }),
    createdAt: new Date('2026-11-21T08:00:00.000Z'),
    expiresAt: new Date('2026-11-22T08:00:00.000Z'),
  });
  const make = (request: ReturnType<typeof asked>, account = 'default') => test.makeEstimate.run(account, request);
  const rows = () => test.rows('SELECT id FROM estimates');

  it('prices the weight as an offset of it would be served now, with names, and reserves nothing', async () => {
    await test.bring([
      pool('a', { price: 2.5, issued: 1, ticker: 'A', address: '0xab' }),
      pool('b', { price: 0.333333, issued: 0.000003 }),
    ]);
    const one = asked(1_000.0001);
    const view = await make(one);
    expect(view).toEqual({
      id: one.id,
      kgCO2e: 1_000.0001,
      credits: 1.000001,
      cost: 2.499996,
      currency: 'USD',
      allocations: [
        { asset: 'pool_b', credits: 0.000003, price: 0.333333, cost: 0.000001 },
        { asset: 'pool_a', ticker: 'A', address: '0xab', credits: 0.999998, price: 2.5, cost: 2.499995 },
      ],
      createdAt: '2026-11-21T08:00:00.000Z',
      expiresAt: '2026-11-22T08:00:00.000Z',
    });
    expect(estimateView.parse(view)).toEqual(view);
    expect(await test.rows('SELECT sum(reserved)::integer AS reserved FROM supply')).toEqual([{ reserved: 0 }]);
  });

  it('costs what an offset then costs', async () => {
    await test.bring(Array.from({ length: 40 }, (_, n) => pool(`p${n}`, { price: n + 0.000001, issued: 0.777777 })));
    const { cost } = await make(asked(20_000));
    const [id] = await test.ask(20_000);
    await test.reserveCredits.run();
    const [row] = await test.rows<{ cost_micros: string }>('SELECT cost_micros FROM offsets WHERE id = $1', [id]);
    expect(Number(row?.cost_micros) / 1e6).toBe(cost);
  });

  it('of one asset takes that one only, whatever is preferred', async () => {
    await test.bring([pool('cheap', { price: 1 }), pool('dear', { price: 9, issued: 2 })]);
    expect((await make(asked(2_000, 'pool_dear'))).allocations.map(({ asset }) => asset)).toEqual(['pool_dear']);
    await expect(make(asked(2_000.001, 'pool_dear'))).rejects.toMatchObject({ code: 'insufficient_supply' });
  });

  it('looks beyond the preferred assets when they do not hold enough', async () => {
    await test.bring(Array.from({ length: 200 }, (_, n) => pool(`p${n}`, { price: n + 1, issued: 1 })));
    expect((await make(asked(150_000))).allocations).toHaveLength(150);
  });

  it('is refused with insufficient_supply when all there is is less, and leaves nothing behind', async () => {
    await test.bring([pool('a', { issued: 1 }), pool('b', { issued: 1 }), pool('off', { active: false })]);
    await test.ask(500);
    await test.reserveCredits.run();
    await expect(make(asked(1_500.001))).rejects.toBeInstanceOf(UserFault);
    await expect(make(asked(1_500.001))).rejects.toMatchObject({ code: 'insufficient_supply' });
    expect(await rows()).toEqual([]);
    await make(asked(1_500));
  });

  it.each(['pool_unknown', 'pool_inactive', 'pool_withdrawn', 'pool_unpriced', 'pool_unissued', 'a "strange" text'])(
    'is refused for %s, which cannot be retired from',
    async (asset) => {
      const { price: _, ...unpriced } = pool('unpriced');
      const { issued: __, ...unissued } = pool('unissued');
      await test.bring([unpriced, unissued, pool('inactive', { active: false }), pool('withdrawn')]);
      await test.bring([{ id: 'pool_withdrawn', withdrawn: true }]);
      await expect(make(asked(1, asset))).rejects.toMatchObject({
        code: 'invalid_request',
        items: [{ field: 'asset', pointer: '/asset', code: 'invalid_field' }],
      });
      expect(await rows()).toEqual([]);
    },
  );

  it('gives the same estimate for the same id, whatever the supply is by then, one after the other or at once', async () => {
    await test.bring([pool('a', { price: 2, issued: 100 })]);
    const one = asked(1_000);
    const first = await make(one);
    await test.bring([pool('a', { price: 3, issued: 0 })]);
    expect(await make(one)).toEqual(first);
    await test.bring([pool('a', { price: 4, issued: 100 })]);
    const other = asked(1_000);
    const [some, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => make(other)));
    expect(others).toEqual([some, some, some, some]);
    expect(await rows()).toHaveLength(2);
  });

  it.each([
    ['weight', { kgCO2e: 2 }, 'default'],
    ['asset', { asset: 'pool_a' }, 'default'],
    ['account', {}, 'thief'],
  ])('is refused for an id that has one of another %s', async (_, change, account) => {
    await test.bring([pool('a')]);
    const one = asked(1);
    await make(one);
    await expect(make({ ...one, ...change }, account)).rejects.toMatchObject({
      code: 'invalid_request',
      items: [{ field: 'id', pointer: '/id' }],
    });
  });

  it('waits for its time until it is known what there is', async () => {
    await test.bring([pool('a')]);
    const early = new MakeEstimate(test.database, test.ownRows, new SupplyGate(), preference(), test.findEstimate);
    const attempt = early.run('default', asked(1));
    await expect(attempt).rejects.toBeInstanceOf(TransientFault);
    await expect(attempt).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 });
  });
});
