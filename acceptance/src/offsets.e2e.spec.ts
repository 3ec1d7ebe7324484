import { type Client, eventually, idOf, itemsOf, nextOf, type Offset } from './testing/client.js';
import { CANARY, System } from './testing/system.js';

let system: System;
let api: Client;
beforeAll(async () => {
  system = await System.start();
  api = system.client;
}, 300_000);
afterAll(() => system.stop(), 60_000);

const UNKNOWN = `off_${'0'.repeat(26)}`;
const order = { kgCO2e: 1234.5, customerRef: CANARY };

describe('POST /v1/offsets', () => {
  it('responds with 202, the id in the message and in Location, and the offset completes within two seconds at best', async () => {
    const ms: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const began = performance.now();
      const answer = await api.post(order);
      const id = idOf(answer);
      expect(answer.body).toEqual({ message: `Offset event with ID: ${id} queued for processing.` });
      expect(answer.headers.location).toBe(`/v1/offsets?id=${id}`);
      expect(await api.get(`/v1/offsets?id=${id}`)).toMatchObject({ id, status: expect.any(String) });
      const offset = await api.ended(id);
      ms.push(performance.now() - began);
      expect(offset).toMatchObject({ ...order, id, status: 'completed', credits: 1.2345, creditsMatched: 1.2345 });
      expect(offset).toMatchObject({ currency: 'USD', completedAt: expect.any(String), updatedAt: expect.any(String) });
      expect(offset.retirements.reduce((sum, { credits }) => sum + credits, 0)).toBe(1.2345);
      expect(offset.retirements.reduce((sum, { cost }) => sum + cost, 0)).toBe(offset.cost);
    }
    expect(Math.min(...ms)).toBeLessThan(2_000);
  });

  it.each([
    ['a weight alone', { kgCO2e: 1 }, 0.001],
    ['a fraction of a gram, rounded up to the gram', { kgCO2e: 0.0001 }, 0.000001],
    ['a weight whose double is no decimal', { kgCO2e: 0.1 + 0.2 }, 0.000301],
    ['a million tonnes', { kgCO2e: 1e9 }, 1e6],
    ['a reference of 256 characters', { kgCO2e: 1, customerRef: '🌳'.repeat(256) }, 0.001],
  ])('accepts %s', async (_, body, credits) => {
    expect(await api.settled(body)).toMatchObject({ status: 'completed', credits, creditsMatched: credits });
  });

  it.each([['there are too few credits', { kgCO2e: 1e12 }, 'insufficient_supply']])(
    'accepts what fails later: %s',
    async (_, body, code) => {
      const failed = { ...body, status: 'failed', creditsMatched: 0, retirements: [], failedAt: expect.any(String) };
      const offset = await api.settled(body);
      expect(offset).toMatchObject({ ...failed, failure: { code, detail: expect.any(String) } });
      expect(offset).not.toHaveProperty('cost');
      expect(await api.receipt(offset.id)).toEqual([]);
    },
  );

  it.each<[string, unknown, string[]]>([
    ['no kgCO2e', {}, ['kgCO2e missing_field']],
    ['a weight in text', { kgCO2e: '1' }, ['kgCO2e invalid_field']],
    ['no weight', { kgCO2e: 0 }, ['kgCO2e invalid_field']],
    ['a negative weight', { kgCO2e: -1 }, ['kgCO2e invalid_field']],
    ['a weight beyond the largest', { kgCO2e: 1e12 + 1 }, ['kgCO2e invalid_field']],
    ['null', { kgCO2e: null }, ['kgCO2e invalid_field']],
    ['an estimate that is no text', { kgCO2e: 1, estimateId: 5 }, ['estimateId invalid_field']],
    ['an estimate that cannot be one', { kgCO2e: 1, estimateId: CANARY }, ['estimateId invalid_field']],
    ['an empty reference', { kgCO2e: 1, customerRef: '' }, ['customerRef invalid_field']],
    ['a long reference', { kgCO2e: 1, customerRef: 'x'.repeat(257) }, ['customerRef invalid_field']],
    ['a reference with a control character', { kgCO2e: 1, customerRef: 'a\nb' }, ['customerRef invalid_field']],
    [
      'several mistakes',
      { kgCo2e: 1, customerRef: {} },
      ['customerRef invalid_field', 'kgCO2e missing_field', 'kgCo2e unknown_field'],
    ],
  ])('refuses %s, with every error at once', async (_, body, items) => {
    const answer = await api.post(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', instance: answer.headers['x-request-id'] },
    });
    expect(itemsOf(answer)).toEqual(items);
  });

  it.each<[string, object, number, string]>([
    ['what is no JSON', { body: '{"kgCO2e": 1' }, 400, 'invalid_json'],
    ['a member that stands twice', { body: '{"kgCO2e": 1, "kgCO2e": 2}' }, 400, 'invalid_json'],
    ['nine levels of lists', { body: `${'['.repeat(9)}${']'.repeat(9)}` }, 400, 'invalid_json'],
    ['a list', { body: '[]' }, 400, 'invalid_request'],
    ['another type', { body: 'kgCO2e=1', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['a body above 16 KiB', { body: JSON.stringify({ kgCO2e: 1, x: 'x'.repeat(16_384) }) }, 413, 'payload_too_large'],
    [
      'a key that is too long',
      { body: order, headers: { 'idempotency-key': 'x'.repeat(256) } },
      400,
      'invalid_request',
    ],
    ['who takes no JSON', { body: order, headers: { accept: 'text/html' } }, 406, 'not_acceptable'],
  ])('refuses %s', async (_, question, status, code) => {
    const answer = await api.ask('/v1/offsets', { method: 'POST', ...question });
    expect(answer).toMatchObject({ status, body: { code, type: `/problems/${code}` } });
  });
});

describe('an Idempotency-Key', () => {
  it('identifies one request: twenty concurrent requests get one id, and all but one are marked as replays', async () => {
    const together = await Promise.all(Array.from({ length: 20 }, () => api.post(order, 'order-1')));
    expect(new Set(together.map(idOf)).size).toBe(1);
    expect(together.filter(({ headers }) => headers['idempotency-replayed'] !== 'true')).toHaveLength(1);
    const { id, customerRef } = await api.ended(
      idOf(await api.post('{"customerRef":"canary-3e1f9b","kgCO2e":1.2345e3}', 'order-1')),
    );
    expect([id, customerRef]).toEqual([together.map(idOf)[0], CANARY]);
  });

  it('may be the id of an offset that was created without a key', async () => {
    const id = await api.accepted(order);
    const again = await api.post(order, id);
    expect([idOf(again), again.headers['idempotency-replayed']]).toEqual([id, 'true']);
  });

  it('refuses a different request', async () => {
    const id = await api.accepted(order, 'order-2');
    expect(await api.post({ ...order, kgCO2e: 2 }, 'order-2')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await api.ended(id)).toMatchObject(order);
  });

  it('is recognized by a gateway that has just started', async () => {
    const keys = Array.from({ length: 10 }, (_, n) => `before-${n}`);
    const ids = await Promise.all(keys.map(async (key) => (await api.settled(order, key)).id));
    const other = await system.anotherGateway();
    const again = await Promise.all(keys.map((key) => other.post(order, key)));
    expect(again.map(idOf)).toEqual(ids);
    expect(again.some(({ headers }) => headers['idempotency-replayed'] === 'true')).toBe(true);
    for (const key of keys) expect(await other.post({ kgCO2e: 1 }, key)).toMatchObject({ status: 422 });
    for (const id of ids)
      expect(
        new Set((await system.topics.eventsOf('offset.completed', id)).map(({ headers }) => headers.ce_id)).size,
      ).toBe(1);
  });
});

describe('GET /v1/offsets', () => {
  it.each<[string, number, string, string?]>([
    [`?id=${UNKNOWN}`, 404, 'not_found'],
    ['?id=nonsense', 400, 'invalid_request', 'id invalid_parameter'],
    [`?id=${UNKNOWN}&limit=3`, 400, 'invalid_request', 'limit invalid_parameter'],
    ['?id=', 400, 'invalid_request', 'id invalid_parameter'],
    ['?limit=0', 400, 'invalid_request', 'limit invalid_parameter'],
    ['?limit=101', 400, 'invalid_request', 'limit invalid_parameter'],
    ['?limit=5&limit=5', 400, 'invalid_request', 'limit duplicate_parameter'],
    ['?status=done', 400, 'invalid_request', 'status invalid_parameter'],
    ['?createdFrom=yesterday', 400, 'invalid_request', 'createdFrom invalid_parameter'],
    ['?customerref=x', 400, 'invalid_request', 'customerref unknown_parameter'],
    ['?customerRef=%zz', 400, 'invalid_request', 'customerRef invalid_parameter'],
    ['?cursor=x', 400, 'invalid_cursor'],
    [`?customerRef=${'x'.repeat(17_000)}`, 414, 'uri_too_long'],
    ['/', 404, 'not_found'],
  ])('answers %s with %i', async (path, status, code, ...items) => {
    const answer = await api.ask(`/v1/offsets${path}`);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(itemsOf(answer)).toEqual(items);
  });

  it('lists newest first, by every filter, each offset on one page', async () => {
    const made: Offset[] = [];
    for (let n = 0; n < 7; n += 1)
      made.unshift(await api.settled({ kgCO2e: n === 3 ? 1e12 : n + 1, customerRef: 'walk' }));
    const [newest, , , failed, , , oldest] = made;
    const list = (query: string) => api.walk<Offset>(`/v1/offsets?limit=2&${query}`);
    await eventually(async () => expect(await list('customerRef=walk')).toEqual(made));
    expect((await api.get<Offset[]>('/v1/offsets'))[0]).toEqual(newest);
    expect(await list('customerRef=walk&status=failed')).toEqual([failed]);
    expect(await list(`customerRef=walk&createdFrom=${newest?.createdAt}`)).toEqual([newest]);
    expect(await list(`customerRef=walk&createdTo=${newest?.createdAt}`)).toEqual(made.slice(1));
    expect(await list(`createdFrom=${oldest?.createdAt}&createdTo=${newest?.createdAt}&customerRef=walk`)).toEqual(
      made.slice(1),
    );
    expect(await list('customerRef=nobody')).toEqual([]);
    expect(await list('estimateId=none')).toEqual([]);
  });

  it('returns a cursor that is valid only for the same list', async () => {
    const next = nextOf((await api.ask('/v1/offsets?limit=2&customerRef=walk')).headers) ?? '';
    expect(await api.ask(next.replace('limit=2', 'limit=3'))).toMatchObject({ status: 200 });
    expect(await api.ask(next.replace('walk', 'run'))).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });
});

describe('every path', () => {
  it.each<[string, string, number, string?]>([
    ['HEAD', '/v1/offsets', 200],
    ['OPTIONS', '/v1/offsets', 204, 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/v1/offsets', 405, 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/v1/retirements', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/offsets', 404],
    ['GET', '/v2/offsets', 404],
    ['GET', '/v1/retirements?offset=nonsense', 400],
    ['GET', `/v1/retirements?offset=${UNKNOWN}`, 404],
    ['GET', '/v1/estimates', 400],
    ['GET', `/v1/estimates?id=est_${'0'.repeat(26)}`, 404],
  ])('answers %s %s with %i', async (method, path, status, ...allow) => {
    const answer = await api.ask(path, { method });
    expect([answer.status, answer.headers.allow]).toEqual([status, allow[0]]);
    expect(answer.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
  });
});
