import { eventually } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SupplyGate } from '../pace/gate.js';
import { ids, pool, request } from '../test-events.js';
import { asks, TestService } from '../test-service.js';

describe('/v1/estimates of the offsets service', () => {
  let service: TestService;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a', { price: 2, issued: 1_000, ticker: 'A' })]);
    app = await service.start();
    await eventually(() => Promise.resolve(expect(app.get(SupplyGate).isOpen).toBe(true)));
  });
  afterAll(() => service.close());

  const headers = asks('default');
  const body = (more: object = {}) => ({
    id: ids.mint('est', 'default'),
    kgCO2e: 1_500,
    createdAt: '2026-11-21T08:00:00.000Z',
    expiresAt: '2026-11-22T08:00:00.000Z',
    ...more,
  });
  const post = (payload: object, to = app, more: object = headers) =>
    to.inject({ method: 'POST', url: '/v1/estimates', headers: { ...more }, payload });

  it('makes one, answers 201, and gives it again under its id', async () => {
    const asked = body();
    const made = await post(asked);
    expect([made.statusCode, made.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(made.json()).toEqual({
      ...asked,
      credits: 1.5,
      cost: 3,
      currency: 'USD',
      allocations: [{ asset: 'pool_a', ticker: 'A', credits: 1.5, price: 2, cost: 3 }],
    });
    const found = await app.inject({ url: `/v1/estimates?id=${asked.id}`, headers });
    expect([found.statusCode, found.json()]).toEqual([200, made.json()]);
    expect([(await post(asked)).statusCode, (await post(asked)).json()]).toEqual([201, made.json()]);
  });

  it('does not give it to another account, nor one that was never made', async () => {
    const asked = body();
    await post(asked);
    const answers = await Promise.all([
      app.inject({ url: `/v1/estimates?id=${asked.id}`, headers: asks('thief') }),
      app.inject({ url: `/v1/estimates?id=${ids.mint('est', 'default')}`, headers }),
    ]);
    expect(answers.map((answer) => [answer.statusCode, answer.json<{ code: string }>().code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
  });

  it.each([
    ['an id of another kind', { id: `off_${'0'.repeat(26)}` }, 'id'],
    ['no weight', { kgCO2e: 0 }, 'kgCO2e'],
    ['a weight beyond the largest', { kgCO2e: 1.000001e12 }, 'kgCO2e'],
    ['an asset that is null', { asset: null }, 'asset'],
    ['an asset nobody knows', { asset: 'pool_b' }, 'asset'],
    ['a time that is none', { createdAt: 'now' }, 'createdAt'],
    ['an expiry before its time', { expiresAt: '2026-11-21T07:59:59.999Z' }, 'expiresAt'],
    ['a field nobody knows', { colour: 'green' }, 'colour'],
  ])('answers 400 to %s, and says where', async (_, change, field) => {
    const answer = await post(body(change));
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      400,
      expect.stringContaining('application/problem+json'),
    ]);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ field, pointer: `/${field}` }] });
  });

  it('answers 400 when no account asks, or the id has not the form of one', async () => {
    expect((await post(body(), app, asks(null))).statusCode).toBe(400);
    expect((await app.inject({ url: '/v1/estimates?id=est_1', headers })).statusCode).toBe(400);
    expect((await app.inject({ url: '/v1/estimates', headers })).statusCode).toBe(400);
  });

  it('answers 409 when there is too little', async () => {
    const answer = await post(body({ kgCO2e: 1e12 }));
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'insufficient_supply']);
  });

  it('answers 503, to be tried again, while it is not known what there is', async () => {
    const early = await service.launch({ KAFKA_BROKERS: ['127.0.0.1:1'] });
    await eventually(async () => {
      const answer = await post(body(), early);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
      expect(answer.json()).toMatchObject({
        code: 'service_unavailable',
        detail: expect.stringContaining('supply'),
      });
    });
  });

  it('has the offset that names it retired at its price', async () => {
    const asked = body({ id: ids.mint('est', 'default'), expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await post(asked);
    await service.publishAssets([pool('a', { price: 7, issued: 1_000, ticker: 'A' })]);
    await eventually(async () => {
      expect(await service.rows('SELECT price_micros FROM supply')).toEqual([{ price_micros: '7000000' }]);
    });
    const offset = request({ kgCO2e: 1_500, estimateId: asked.id });
    await service.publishRequests([offset]);
    expect(await service.settled(app, offset.id)).toMatchObject({
      status: 'completed',
      estimateId: asked.id,
      cost: 3,
      retirements: [{ asset: 'pool_a', credits: 1.5, price: 2, cost: 3 }],
    });
  });
});
