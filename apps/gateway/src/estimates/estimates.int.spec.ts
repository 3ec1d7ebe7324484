import type { RequestListener } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { TEST_IDS, useGateway } from '../testing/gateway.js';
import { invalidRequest, problem } from '../testing/http.js';
import { reply, useStub } from '../testing/stub-server.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const ESTIMATE_BODY = '{"id":"est_1",  "kgCO2e": 1.50, "odd spacing and ünicode": "stay"}';

interface PassedOn {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The bodies that the offsets service received. */
const received: PassedOn[] = [];
const creates: RequestListener = async (request, response) => {
  received.push((await readJson(request)) as PassedOn);
  reply(201, 'application/json; charset=utf-8', ESTIMATE_BODY, { 'cache-control': 'no-store' })(request, response);
};
const offsets = useStub(creates);
const gateway = useGateway(() => ({ OFFSETS_URL: offsets.url }));
beforeEach(() => offsets.respond(creates));

const post = (body: object | string, headers: Record<string, string> = {}, query = '') =>
  gateway.send({
    method: 'POST',
    path: `/v1/estimates${query}`,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

describe('POST /v1/estimates, accepted', () => {
  it('returns the offsets service’s estimate byte for byte, for the account of the caller, and its URL', async () => {
    const response = await post({ kgCO2e: 1.5 }, { 'x-request-id': 'order-7', 'x-account': 'somebody-else' });
    expect([response.status, response.body.toString()]).toEqual([201, ESTIMATE_BODY]);
    expect(response.headers).toMatchObject({
      location: `/v1/estimates?id=${received.at(-1)?.id}`,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(offsets.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/estimates',
      headers: { 'x-account': 'default', 'x-request-id': 'order-7', 'content-type': 'application/json' },
    });
  });

  it('creates it under a new verifiable id, with its time, valid for a day', async () => {
    const before = Date.now();
    for (let n = 0; n < 2; n += 1) await post({ kgCO2e: 1.5, asset: 'pool_bct' });
    const [first, last] = received.slice(-2) as [PassedOn, PassedOn];
    const { id, createdAt, expiresAt } = last;
    const created = Date.parse(createdAt);
    expect(TEST_IDS.read('est', id, 'default')).toEqual({ verdict: 'issued', time: created });
    expect(Date.parse(expiresAt) - created).toBe(DAY_MS);
    expect(created).toBeGreaterThanOrEqual(before);
    expect(last).toEqual({ id, kgCO2e: 1.5, asset: 'pool_bct', createdAt, expiresAt });
    expect(first.id).not.toBe(id);
  });
});

describe('POST /v1/estimates, refused', () => {
  let before = 0;
  beforeAll(() => {
    before = offsets.requests.length;
  });

  it.each<[object, string, string]>([
    [{}, 'kgCO2e', 'missing_field'],
    [{ kgCO2e: -5 }, 'kgCO2e', 'invalid_field'],
    [{ kgCO2e: 1_000_000_000_001 }, 'kgCO2e', 'invalid_field'],
    ...[null, '', 7, 'bct', 'pool_', 'POOL_BCT', 'pool_a b'].map((asset): [object, string, string] => [
      { kgCO2e: 1, asset },
      'asset',
      'invalid_field',
    ]),
    // Members that the gateway adds, and members that only an offset has.
    [{ kgCO2e: 1, id: 'est_1' }, 'id', 'unknown_field'],
    [{ kgCO2e: 1, expiresAt: '2099-01-01T00:00:00.000Z' }, 'expiresAt', 'unknown_field'],
    [{ kgCO2e: 1, estimateId: 'est_1' }, 'estimateId', 'unknown_field'],
  ])('responds with 400 to %j: %s is an %s', async (body, field, code) => {
    expect(await post(body)).toEqual(invalidRequest([field, code, { pointer: `/${field}` }]));
  });

  it('lists all errors of URL and body at once, with suggested names', async () => {
    expect(await post({ kgCo2e: 1, assets: 'pool_bct' }, {}, '?dryRun=1')).toEqual(
      invalidRequest(
        ['dryRun', 'unknown_parameter'],
        ['kgCO2e', 'missing_field'],
        ['kgCo2e', 'unknown_field', { suggestion: 'kgCO2e' }],
        ['assets', 'unknown_field', { suggestion: 'asset' }],
      ),
    );
    expect(await post('[1')).toEqual(problem(400, 'invalid_json'));
  });

  it('does not call the offsets service for any of these', () => {
    expect(offsets.requests).toHaveLength(before);
  });

  it.each([
    [400, '{"code":"invalid_request","status":400,"errors":[{"field":"asset","pointer":"/asset"}]}'],
    [409, '{"code":"insufficient_supply","status":409}'],
  ])('forwards the offsets service’s %d unchanged, without Location', async (status, body) => {
    offsets.respond(reply(status, 'application/problem+json', body));
    const response = await post({ kgCO2e: 1, asset: 'pool_unknown' });
    expect([response.status, response.headers['content-type'], response.body.toString()]).toEqual([
      status,
      'application/problem+json',
      body,
    ]);
    expect(response.headers).not.toHaveProperty('location');
  });

  it('responds with 503 and Retry-After when it answers 200', async () => {
    offsets.respond(reply(200, 'application/json', '{}'));
    const response = await post({ kgCO2e: 1 });
    expect(response).toEqual(problem(503, 'service_unavailable'));
    expect(response.headers).not.toHaveProperty('location');
  });
});
