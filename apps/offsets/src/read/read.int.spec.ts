import { offsetView } from '@carbon/contracts';
import { CANARY } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pool, request } from '../test-events.js';
import { asks, TestService } from '../test-service.js';

describe('GET /v1/offsets', () => {
  let service: TestService;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a', { ticker: 'AAA', address: '0xa', price: 5, issued: 1 }), pool('b')]);
    app = await service.start();
  });
  afterAll(() => service.close());

  const get = (query: string, account: string | null = 'default') =>
    app.inject({
      method: 'GET',
      url: `/v1/offsets${query}`,
      headers: asks(account),
    });

  it('gives a new offset as soon as it is recorded, and then its every state', async () => {
    const one = request({ kgCO2e: 1_234.5, customerRef: CANARY }, { account: 'one' });
    const early = get(`?id=${one.id}`, 'one');
    await service.publishRequests([one]);
    expect((await early).statusCode).toBe(200);
    const view = await service.settled(app, one.id, 'one');
    expect(offsetView.parse(view)).toEqual(view);
    expect(view).toEqual({
      id: one.id,
      status: 'completed',
      kgCO2e: 1234.5,
      credits: 1.2345,
      creditsMatched: 1.2345,
      retirements: [
        { asset: 'pool_a', ticker: 'AAA', address: '0xa', credits: 1, price: 5, cost: 5 },
        { asset: 'pool_b', credits: 0.2345, price: 10, cost: 2.345 },
      ],
      cost: 7.345,
      currency: 'USD',
      customerRef: CANARY,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      completedAt: expect.any(String),
    });
  });

  it('waits for an offset that is not recorded, at most 1 s, then says 404', async () => {
    const times: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const begin = performance.now();
      const answer = await get(`?id=${request({ kgCO2e: 1 }).id}`);
      times.push(performance.now() - begin);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(answer.json()).toMatchObject({ code: 'not_found' });
    }
    expect(Math.min(...times)).toBeGreaterThan(900);
    expect(Math.min(...times)).toBeLessThan(2_000);
  });

  it('shows nobody the offsets of another account', async () => {
    const [mine, theirs] = [request({ kgCO2e: 1 }, { account: 'mine' }), request({ kgCO2e: 2 }, { account: 'theirs' })];
    await service.publishRequests([mine, theirs]);
    await service.settled(app, mine.id, 'mine');
    await service.settled(app, theirs.id, 'theirs');
    expect((await get(`?id=${theirs.id}`, 'mine')).statusCode).toBe(404);
    expect((await get('', 'mine')).json()).toMatchObject([{ id: mine.id }]);
    expect((await get('', 'nobody')).json()).toEqual([]);
  });

  it('lists newest first, every offset once, while new ones arrive', async () => {
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + (n >> 1)).toISOString();
    const insert = (n: number) => request({ kgCO2e: n + 1 }, { account: 'many', createdAt: at(n) });
    const all = Array.from({ length: 25 }, (_, n) => insert(n));
    await service.record(app, all);
    const seen: string[] = [];
    for (let url: string | undefined = '?limit=4'; url !== undefined; ) {
      const page = await get(url, 'many');
      seen.push(...page.json<{ id: string }[]>().map(({ id }) => id));
      url = /^<\/v1\/offsets(\?limit=4&cursor=[^>]+)>; rel="next"$/.exec(String(page.headers.link))?.[1];
      await service.record(app, [insert(100 + seen.length)]);
    }
    const key = ({ id, createdAt }: { id: string; createdAt: string }) => `${createdAt} ${id}`;
    expect(seen).toEqual([...all].sort((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ id }) => id));
  });

  it('gives 20 unless it is asked for more or fewer, and no link on the last page', async () => {
    await service.record(
      app,
      Array.from({ length: 21 }, () => request({ kgCO2e: 1 }, { account: 'pages' })),
    );
    expect((await get('', 'pages')).json()).toHaveLength(20);
    const last = await get('?limit=21', 'pages');
    expect(last.json()).toHaveLength(21);
    expect(last.headers.link).toBeUndefined();
  });

  it('refuses a cursor that was made for another account, and whatever is none', async () => {
    await service.record(
      app,
      [1, 2].map((kgCO2e) => request({ kgCO2e }, { account: 'page-2' })),
    );
    const link = String((await get('?limit=1', 'page-2')).headers.link);
    const cursor = /cursor=([^>]+)>/.exec(link)?.[1];
    expect((await get(`?cursor=${cursor}`, 'page-2')).statusCode).toBe(200);
    for (const [query, account] of [
      [`?cursor=${cursor}`, 'default'],
      [`?cursor=${cursor}x`, 'page-2'],
      ['?cursor=1', 'page-2'],
    ] as const) {
      const answer = await get(query, account);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'invalid_cursor' });
    }
  });

  it.each([
    ['?limit=0', 'limit', 'invalid_parameter'],
    ['?limit=101', 'limit', 'invalid_parameter'],
    ['?limit=1.5', 'limit', 'invalid_parameter'],
    ['?limit=', 'limit', 'invalid_parameter'],
    ['?limit=1&limit=1', 'limit', 'duplicate_parameter'],
    ['?state=queued', 'state', 'unknown_parameter'],
    ['?id=off_00000000000000000000000001&limit=1', 'limit', 'unknown_parameter'],
    ['?id=off_1', 'id', 'invalid_parameter'],
    ['?id=off_%00', 'id', 'invalid_parameter'],
    ['?id=', 'id', 'invalid_parameter'],
    ['?cursor=%zz', 'cursor', 'invalid_parameter'],
  ])('says what is wrong with %s', async (query, field, code) => {
    const answer = await get(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
  });

  it('answers only on behalf of an account', async () => {
    for (const account of [null, '', 'NO ACCOUNT']) {
      const answer = await get('', account);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ errors: [{ field: 'x-account', code: 'invalid_header' }] });
    }
  });
});
