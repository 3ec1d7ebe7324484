import { lookedUpViews, MAX_LOOKUP_SIZE, offsetView, recordedFingerprints } from '@carbon/contracts';
import { CANARY, eventually } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pool, request } from '../testing/events.js';
import { callerHeaders, TestService } from '../testing/service.js';

let service: TestService;
let app: NestFastifyApplication;
beforeAll(async () => {
  service = await TestService.create();
  await service.publishAssets([pool('a', { ticker: 'AAA', address: '0xa', price: 5, issued: 1 }), pool('b')]);
  app = await service.start();
});
afterAll(() => service.close());

const get = (url: string, account: string | null = 'default') => app.inject({ url, headers: callerHeaders(account) });
/** Returns the status, code and first item of a problem. */
const problemOf = async (url: string, account?: string | null) => {
  const answer = await get(url, account);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  const { code, errors: [item] = [] } = answer.json<{ code: string; errors?: { field: string; code: string }[] }>();
  return [answer.statusCode, code, ...(item ? [item.field, item.code] : [])];
};
const UNKNOWN = 'off_00000000000000000000000001';

describe('GET /v1/offsets?id=', () => {
  it('returns a new offset as soon as it is recorded, then its every state; its trace reaches the published event', async () => {
    const one = request({ kgCO2e: 1_234.5, customerRef: CANARY }, { account: 'one' });
    const early = get(`/v1/offsets?id=${one.id}`, 'one');
    const trace = 'cafe0123456789abcafe0123456789ab';
    await service.publish('offset.requested.v1', one.id, one, `00-${trace}-00f067aa0ba902b7-01`);
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
    await eventually(async () => {
      const events = await service.messagesOf('offset.completed');
      expect(events).toMatchObject([{ key: one.id, value: { id: one.id, grams: '1234500', costMicros: '7345000' } }]);
      expect(events[0]?.headers.traceparent).toContain(trace);
    });
  });

  it('waits at most 1 s for an offset that is not recorded, then responds 404', async () => {
    const times: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const begin = performance.now();
      expect(await problemOf(`/v1/offsets?id=${request({ kgCO2e: 1 }).id}`)).toEqual([404, 'not_found']);
      times.push(performance.now() - begin);
    }
    expect(Math.min(...times)).toBeGreaterThan(900);
    expect(Math.min(...times)).toBeLessThan(2_000);
  });

  it('does not show the offsets of another account', async () => {
    const [mine, theirs] = [request({ kgCO2e: 1 }, { account: 'mine' }), request({ kgCO2e: 2 }, { account: 'theirs' })];
    await service.publishRequests([mine, theirs]);
    await service.settled(app, mine.id, 'mine');
    await service.settled(app, theirs.id, 'theirs');
    expect(await problemOf(`/v1/offsets?id=${theirs.id}`, 'mine')).toEqual([404, 'not_found']);
    expect(await problemOf(`/internal/fingerprints?offset=${theirs.id}`, 'mine')).toEqual([404, 'not_found']);
    expect((await get('/v1/offsets', 'mine')).json()).toMatchObject([{ id: mine.id }]);
    expect((await get('/v1/offsets', 'nobody')).json()).toEqual([]);
  });
});

describe('GET /internal/fingerprints', () => {
  it('returns the fingerprint that is recorded under an id, in every state', async () => {
    const one = request({ kgCO2e: 1.5, customerRef: 'u-1' }, { account: 'fingerprints' });
    const ask = () => get(`/internal/fingerprints?offset=${one.id}`, 'fingerprints');
    await service.record(app, [one]);
    const early = await ask();
    await service.settled(app, one.id, 'fingerprints');
    for (const answer of [early, await ask()]) {
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(answer.json()).toEqual({ id: one.id, fingerprint: one.fingerprint });
    }
  });

  it('responds 404 at once, because a new offset waits for the response', async () => {
    const ms: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const begin = performance.now();
      const { id } = request({ kgCO2e: 1 });
      expect(await problemOf(`/internal/fingerprints?offset=${id}`)).toEqual([404, 'not_found']);
      ms.push(performance.now() - begin);
    }
    // A read of the offset itself would wait for a second.
    expect(Math.min(...ms)).toBeLessThan(900);
  });
});

const lookUp = (what: string, offsets: readonly object[], more: object = {}) =>
  app.inject({
    method: 'POST',
    url: `/internal/${what}`,
    headers: callerHeaders(null),
    payload: { offsets, ...more },
  });

describe('POST /internal/fingerprints', () => {
  it('returns what is recorded, each for its account, and nothing for the account of another', async () => {
    const [one, two] = [request({ kgCO2e: 1 }, { account: 'p1' }), request({ kgCO2e: 2 }, { account: 'p2' })];
    await service.record(app, [one, two]);
    const pairs = [one, { account: 'p2', id: one.id }, two, { account: 'p1', id: request({ kgCO2e: 3 }).id }];
    const answer = await lookUp(
      'fingerprints',
      pairs.map(({ account, id }) => ({ account, id })),
    );
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { recorded, isComplete } = recordedFingerprints.parse(answer.json());
    const expected = [one, two].map(({ account, id, fingerprint }) => ({ account, id, fingerprint }));
    expect([new Set(recorded), isComplete]).toEqual([new Set(expected), true]);
  });
});

describe('POST /internal/offsets', () => {
  it('returns the views in order, each for its account as the offset itself is read, without waiting for a new one', async () => {
    const [one, two] = [request({ kgCO2e: 1 }, { account: 'v1' }), request({ kgCO2e: 2 }, { account: 'v2' })];
    await service.publishRequests([one, two]);
    for (const { account, id } of [one, two]) await service.settled(app, id, account);
    const alone = async ({ account, id }: typeof one) => (await get(`/v1/offsets?id=${id}`, account)).body;
    const pairs = [{ account: 'v2', id: one.id }, two, { account: 'v1', id: request({ kgCO2e: 3 }).id }, one];
    const begin = performance.now();
    const answer = await lookUp(
      'offsets',
      pairs.map(({ account, id }) => ({ account, id })),
    );
    expect(performance.now() - begin).toBeLessThan(900);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(lookedUpViews.parse(answer.json()).views).toEqual([null, await alone(two), null, await alone(one)]);
  });
});

describe.each(['fingerprints', 'offsets'])('a look-up of many %s', (what) => {
  it('is refused without offsets, with too many, and without an account', async () => {
    const { id } = request({ kgCO2e: 1 });
    const tooMany = Array.from({ length: MAX_LOOKUP_SIZE + 1 }, () => ({ account: 'default', id }));
    for (const offsets of [[], tooMany, [{ id }]]) {
      const answer = await lookUp(what, offsets);
      expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
    }
    expect((await lookUp(what, [{ account: 'default', id }], { id })).statusCode).toBe(400);
  });

  it('fits within the default limit of a body at its largest', async () => {
    const offsets = Array.from({ length: MAX_LOOKUP_SIZE }, () => ({ account: 'a'.repeat(64), id: UNKNOWN }));
    expect((await lookUp(what, offsets)).statusCode).toBe(200);
  });
});

describe('a query for an offset', () => {
  it.each([
    ['/v1/offsets?limit=0', 'limit', 'invalid_parameter'],
    ['/v1/offsets?limit=101', 'limit', 'invalid_parameter'],
    ['/v1/offsets?limit=1.5', 'limit', 'invalid_parameter'],
    ['/v1/offsets?limit=1&limit=1', 'limit', 'duplicate_parameter'],
    ['/v1/offsets?state=queued', 'state', 'unknown_parameter'],
    [`/v1/offsets?id=${UNKNOWN}&limit=1`, 'limit', 'unknown_parameter'],
    ['/v1/offsets?id=off_1', 'id', 'invalid_parameter'],
    ['/v1/offsets?id=off_%00', 'id', 'invalid_parameter'],
    ['/v1/offsets?id=', 'id', 'invalid_parameter'],
    ['/v1/offsets?cursor=%zz', 'cursor', 'invalid_parameter'],
    ['/internal/fingerprints', 'offset', 'missing_parameter'],
    ['/internal/fingerprints?offset=off_1', 'offset', 'invalid_parameter'],
    ['/v1/retirements', 'offset', 'missing_parameter'],
    ['/v1/retirements?offset=off_1', 'offset', 'invalid_parameter'],
    [`/v1/retirements?offset=${UNKNOWN}&offset=${UNKNOWN}`, 'offset', 'duplicate_parameter'],
    [`/v1/retirements?offset=${UNKNOWN}&limit=1`, 'limit', 'unknown_parameter'],
  ])('is refused where it is invalid: %s', async (url, field, code) => {
    expect(await problemOf(url)).toEqual([400, 'invalid_request', field, code]);
  });

  it.each(['/v1/offsets', `/v1/retirements?offset=${UNKNOWN}`, `/internal/fingerprints?offset=${UNKNOWN}`])(
    'needs an account: %s',
    async (url) => {
      for (const account of [null, '', 'NO ACCOUNT']) {
        expect(await problemOf(url, account)).toEqual([400, 'invalid_request', 'x-account', 'invalid_header']);
      }
    },
  );
});
