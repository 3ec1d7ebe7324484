import { estimateView } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { DAY_MS, preference, TestDatabase } from '../testing/database.js';
import { ids, pool } from '../testing/events.js';
import { callerHeaders, NO_KAFKA, TestService } from '../testing/service.js';
import { EstimateCreator } from './estimate-creator.js';
import { pruneEstimates } from './estimate-pruner.js';

describe('creating an estimate', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  const estimateRequest = (kgCO2e: number, asset?: string) => ({
    id: ids.generate('est', 'default'),
    kgCO2e,
    ...(asset !== undefined && { asset }),
    createdAt: new Date('2026-11-21T08:00:00.000Z'),
    expiresAt: new Date('2026-11-22T08:00:00.000Z'),
  });
  const make = (request: ReturnType<typeof estimateRequest>, account = 'default') =>
    test.estimateCreator.create(account, request);
  const rows = () => test.rows('SELECT id FROM estimates');

  it('prices the weight as an offset would be allocated now, with names, and reserves nothing', async () => {
    await test.recordAssets([
      pool('a', { price: 2.5, issued: 1, ticker: 'A', address: '0xab' }),
      pool('b', { price: 0.333333, issued: 0.000003 }),
    ]);
    const one = estimateRequest(1_000.0001);
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
    await test.recordAssets(
      Array.from({ length: 40 }, (_, n) => pool(`p${n}`, { price: n + 0.000001, issued: 0.777777 })),
    );
    const { cost } = await make(estimateRequest(20_000));
    const [id] = await test.queue(20_000);
    await test.reserveCredits.run();
    const [row] = await test.rows<{ cost_micros: string }>('SELECT cost_micros FROM offsets WHERE id = $1', [id]);
    expect(Number(row?.cost_micros) / 1e6).toBe(cost);
  });

  it('uses only the named asset, whatever is preferred', async () => {
    await test.recordAssets([pool('cheap', { price: 1 }), pool('dear', { price: 9, issued: 2, vintages: [2015] })]);
    const fromOne = await make(estimateRequest(2_000, 'pool_dear'));
    expect(fromOne.allocations).toMatchObject([{ asset: 'pool_dear', vintages: [2015] }]);
    const problem = { message: expect.stringMatching(/^Only 2 credits of this asset are available/) };
    await expect(make(estimateRequest(2_000.001, 'pool_dear'))).rejects.toMatchObject(problem);
  });

  it('is refused with insufficient_supply when less is available, and inserts nothing', async () => {
    await test.recordAssets([pool('a', { issued: 1 }), pool('b', { issued: 1 }), pool('off', { active: false })]);
    await test.queue(500);
    await test.reserveCredits.run();
    const problem = { code: 'insufficient_supply', message: expect.stringMatching(/^Only 1.5 credits are available/) };
    await expect(make(estimateRequest(1_500.001))).rejects.toMatchObject(problem);
    expect(await rows()).toEqual([]);
    await make(estimateRequest(1_500));
  });

  it.each(['pool_unknown', 'pool_inactive', 'pool_withdrawn', 'pool_unpriced', 'pool_unissued', 'a "strange" text'])(
    'is refused for %s, which cannot be retired from',
    async (asset) => {
      const { price: _, ...unpriced } = pool('unpriced');
      const { issued: __, ...unissued } = pool('unissued');
      await test.recordAssets([unpriced, unissued, pool('inactive', { active: false }), pool('withdrawn')]);
      await test.recordAssets([{ id: 'pool_withdrawn', withdrawn: true }]);
      await expect(make(estimateRequest(1, asset))).rejects.toMatchObject({
        code: 'invalid_request',
        items: [{ field: 'asset', pointer: '/asset', code: 'invalid_field' }],
      });
      expect(await rows()).toEqual([]);
    },
  );

  it('returns the same estimate for the same id, whatever the supply is by then', async () => {
    await test.recordAssets([pool('a', { price: 2, issued: 100 })]);
    const one = estimateRequest(1_000);
    const first = await make(one);
    await test.recordAssets([pool('a', { price: 3, issued: 0 })]);
    expect(await make(one)).toEqual(first);
    await test.recordAssets([pool('a', { price: 4, issued: 100 })]);
    const other = estimateRequest(1_000);
    const [some, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => make(other)));
    expect(others).toEqual([some, some, some, some]);
    expect(await rows()).toHaveLength(2);
  });

  it.each([
    ['weight', { kgCO2e: 2 }, 'default'],
    ['asset', { asset: 'pool_a' }, 'default'],
    ['account', {}, 'thief'],
  ])('is refused for an id of an estimate of another %s', async (_, change, account) => {
    await test.recordAssets([pool('a')]);
    const one = estimateRequest(1);
    await make(one);
    await expect(make({ ...one, ...change }, account)).rejects.toMatchObject({
      code: 'invalid_request',
      items: [{ field: 'id', pointer: '/id' }],
    });
  });

  it('is refused with 503 while the supply is not known', async () => {
    await test.recordAssets([pool('a')]);
    const early = new EstimateCreator(test.database, new ReadinessGate(), preference(), test.estimates);
    const attempt = early.create('default', estimateRequest(1));
    await expect(attempt).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('pruning estimates', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.recordAssets([pool('a')]);
  });
  afterEach(() => test.close());

  /** Inserts an estimate that expired this many days ago. */
  const expired = (days: number) => test.estimate(1, { createdAt: new Date(Date.now() - (days + 1) * DAY_MS) });
  const prune = () => test.database.transaction(pruneEstimates);
  const left = async () =>
    (await test.rows<{ id: string }>('SELECT id FROM estimates ORDER BY id')).map(({ id }) => id);

  it('keeps estimates for 53 days after their expiry, because a waiting request may name them', async () => {
    const [old, young, valid] = [await expired(53.01), await expired(52.99), await expired(-1)];
    expect(await prune()).toBe(false);
    expect(await left()).toEqual([young, valid].sort());
    expect(await test.estimates.find('default', young)).toMatchObject({ id: young });
    await expect(test.estimates.find('default', old)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps estimates that an offset names, whatever its outcome, and checks them once', async () => {
    const [used, failed, gone] = [await expired(60), await expired(60), await expired(60)];
    await test.queueOne({ kgCO2e: 1, estimateId: gone }, { account: 'thief' });
    const createdAt = new Date(Date.now() - 60.5 * DAY_MS).toISOString();
    await test.queueOne({ kgCO2e: 1, estimateId: used }, { createdAt });
    await test.queueOne({ kgCO2e: 2, estimateId: failed }, { createdAt });
    await test.reserveCredits.run();
    expect([await test.counts(), await left()]).toEqual([{ processing: 1, failed: 2 }, [used, failed, gone].sort()]);
    await prune();
    expect(await left()).toEqual([used, failed].sort());
    expect(await test.rows('SELECT DISTINCT kept FROM estimates')).toEqual([{ kept: true }]);
  });

  it('prunes a thousand at a time', async () => {
    const one = await expired(60);
    await test.sql.query(
      `INSERT INTO estimates SELECT 'est_' || n, account, kg_co2e, grams, asset_id, lines, line_count,
         created_at, expires_at
       FROM estimates, generate_series(1, 1500) AS n WHERE id = $1`,
      [one],
    );
    expect([await prune(), (await left()).length]).toEqual([true, 501]);
    expect([await prune(), (await left()).length]).toEqual([false, 0]);
  });
});

describe('/v1/estimates of the offsets service', () => {
  let service: TestService;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a', { price: 2, issued: 1_000, ticker: 'A' })]);
    app = await service.start();
    await eventually(() => Promise.resolve(expect(app.get(ReadinessGate).isOpen).toBe(true)));
  });
  afterAll(() => service.close());

  const headers = callerHeaders('default');
  const body = (more: object = {}) => ({
    id: ids.generate('est', 'default'),
    kgCO2e: 1_500,
    createdAt: '2026-11-21T08:00:00.000Z',
    expiresAt: '2026-11-22T08:00:00.000Z',
    ...more,
  });
  const post = (payload: object, to = app, more: object = headers) =>
    to.inject({ method: 'POST', url: '/v1/estimates', headers: { ...more }, payload });

  it('creates an estimate with 201, and returns it again under its id', async () => {
    const requestBody = body();
    const made = await post(requestBody);
    expect([made.statusCode, made.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(made.json()).toEqual({
      ...requestBody,
      credits: 1.5,
      cost: 3,
      currency: 'USD',
      allocations: [{ asset: 'pool_a', ticker: 'A', credits: 1.5, price: 2, cost: 3 }],
    });
    const found = await app.inject({ url: `/v1/estimates?id=${requestBody.id}`, headers });
    expect([found.statusCode, found.json()]).toEqual([200, made.json()]);
    expect([(await post(requestBody)).statusCode, (await post(requestBody)).json()]).toEqual([201, made.json()]);
  });

  it.each([
    ['an id of another kind', { id: `off_${'0'.repeat(26)}` }, 'id'],
    ['a weight beyond the largest', { kgCO2e: 1.000001e12 }, 'kgCO2e'],
    ['an unknown asset', { asset: 'pool_b' }, 'asset'],
    ['an expiry before its time', { expiresAt: '2026-11-21T07:59:59.999Z' }, 'expiresAt'],
    ['an unknown field', { colour: 'green' }, 'colour'],
  ])('responds 400 to %s, with the field', async (_, change, field) => {
    const answer = await post(body(change));
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      400,
      expect.stringContaining('application/problem+json'),
    ]);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ field, pointer: `/${field}` }] });
  });

  it('responds 400 without an account, and for an invalid id', async () => {
    expect((await post(body(), app, callerHeaders(null))).statusCode).toBe(400);
    expect((await app.inject({ url: '/v1/estimates?id=est_1', headers })).statusCode).toBe(400);
    expect((await app.inject({ url: '/v1/estimates', headers })).statusCode).toBe(400);
  });

  it('responds 503 with Retry-After while the supply is not known', async () => {
    const early = await service.launch(NO_KAFKA);
    await eventually(async () => {
      const answer = await post(body(), early);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
      const detail = expect.stringContaining('supply');
      expect(answer.json()).toMatchObject({ code: 'service_unavailable', detail });
    });
  });
});
