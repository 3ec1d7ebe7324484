import { json as jsonBody } from 'node:stream/consumers';
import { Ids, LIST_PARAMETERS, offsetLookup } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { TEST_IDS, TEST_SECRETS, useGateway } from './testing/gateway.js';
import { invalidRequest, problem } from './testing/http.js';
import { holding, json, reply, UNRECORDED, useStub } from './testing/stub-server.js';

const { ID_SECRETS, IDEMPOTENCY_SECRETS } = TEST_SECRETS;
const OFFSET = TEST_IDS.generate('off', 'default', Date.parse('2026-03-02T10:15:30.123Z'));
const ESTIMATE = TEST_IDS.generate('est', 'default');
const BY_KEY = TEST_IDS.fromKey('default', 'order-7');

/** The routes that read by id: the parameter, an issued id, and an id of the other prefix. */
const READS = [
  { route: '/v1/offsets', name: 'id', prefix: 'off', issued: OFFSET, otherKind: ESTIMATE },
  { route: '/v1/retirements', name: 'offset', prefix: 'off', issued: OFFSET, otherKind: ESTIMATE },
  { route: '/v1/estimates', name: 'id', prefix: 'est', issued: ESTIMATE, otherKind: OFFSET },
] as const;

const offsets = useStub();
const gateway = useGateway(() => ({ OFFSETS_URL: offsets.url }));
const get = (path: string) => gateway.send({ path });

describe.each(READS)('GET $route by $name', ({ route, name, prefix, issued, otherKind }) => {
  const path = (value: string) => `${route}?${name}=${value}`;
  const others = Object.keys(LIST_PARAMETERS);
  const countRequests = () => offsets.requests.length;
  let before = 0;
  beforeEach(() => {
    before = countRequests();
  });

  it('responds with 400 to text that is not such an id, without a call to the app', async () => {
    const upper = issued.toUpperCase();
    const malformed = ['', 'nonsense', `${prefix}_`, upper, `${issued}0`, issued.slice(0, -1), `${issued}%20`, '%00'];
    for (const value of [...malformed, '%zz', otherKind]) {
      expect(await get(path(value))).toEqual(invalidRequest([name, 'invalid_parameter']));
    }
    expect(countRequests()).toBe(before);
  });

  it('answers 400 to an id sent twice or with another parameter, without a call to the app', async () => {
    expect(await get(`${path(issued)}&${name}=${issued}`)).toEqual(invalidRequest([name, 'duplicate_parameter']));
    expect(await get(`${path(issued)}&other=1`)).toEqual(invalidRequest(['other', 'unknown_parameter']));
    expect(await get(`${path(issued)}&`)).toEqual(invalidRequest(['', 'unknown_parameter']));
    const withExtraParameters = invalidRequest(
      ...others.map((other) =>
        route === '/v1/offsets'
          ? ([other, 'invalid_parameter', { detail: 'cannot be sent together with id' }] as const)
          : ([other, 'unknown_parameter'] as const),
      ),
    );
    expect(await get(`${path(issued)}&${others.join('=&')}=`)).toEqual(withExtraParameters);
    expect(countRequests()).toBe(before);
  });

  it('answers the same 404 to every id not issued to this account, without a call to the app', async () => {
    const made = (ids: Ids, account = 'default') => [ids.generate(prefix, account), ids.fromKey(account, 'order-7')];
    const notIssued = [
      `${issued.slice(0, -1)}${issued.endsWith('0') ? '1' : '0'}`,
      `${prefix}_${'7'.repeat(26)}`,
      otherKind,
      ...made(TEST_IDS, 'other'),
      ...made(new Ids({ ids: ['taken out'], idempotency: ['taken out as well'] })),
      ...made(new Ids({ ids: [IDEMPOTENCY_SECRETS], idempotency: [ID_SECRETS] })),
    ].map((id) => `${prefix}_${id.slice(4)}`);
    const bodies = new Set<string>();
    for (const id of notIssued) {
      const response = await get(path(id));
      expect([id, response]).toEqual([id, problem(404, 'not_found')]);
      bodies.add(JSON.stringify({ ...Object(response.json), instance: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(countRequests()).toBe(before);
  });

  it('decodes the parameter’s name and value', async () => {
    offsets.respond(json('{}'));
    const spelt = `${route}?%${name.charCodeAt(0).toString(16)}${name.slice(1)}=%${issued.charCodeAt(0).toString(16)}${issued.slice(1)}`;
    expect((await get(spelt)).status).toBe(200);
    expect(offsets.requests.at(-1)?.path).toBe(path(issued));
  });
});

describe('an id that was accepted and that the offsets service has no row for yet', () => {
  it.each([OFFSET, BY_KEY])('is queued, and has a receipt without entries: %s', async (id) => {
    offsets.respond(UNRECORDED);
    const [offset, receipt] = [await get(`/v1/offsets?id=${id}`), await get(`/v1/retirements?offset=${id}`)];
    expect([offset.status, offset.json]).toEqual([200, { id, status: 'queued' }]);
    expect([receipt.status, receipt.json]).toEqual([200, { offset: id, status: 'queued', entries: [] }]);
    for (const { headers } of [offset, receipt])
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
  });

  it('is not queued on any other 404', async () => {
    for (const body of ['{"code":"method_not_allowed"}', '{"error":"no route"}', '{}']) {
      offsets.respond(reply(404, 'application/problem+json', body));
      for (const path of [`/v1/offsets?id=${OFFSET}`, `/v1/retirements?offset=${OFFSET}`])
        expect([body, (await get(path)).status]).toEqual([body, 404]);
    }
  });

  it('is 404 for an estimate that does not exist', async () => {
    offsets.respond(UNRECORDED);
    expect((await get(`/v1/estimates?id=${ESTIMATE}`)).status).toBe(404);
  });

  it('does not block the lists, however many look-ups wait', async () => {
    const lookups = holding(UNRECORDED);
    offsets.respond((request, response) => {
      if (request.url?.includes('id=')) lookups.listener(request, response);
      else json('[]')(request, response);
    });
    // More than the maximum of concurrent list calls.
    const waiting = Array.from({ length: 80 }, () => get(`/v1/offsets?id=${TEST_IDS.generate('off', 'default')}`));
    await eventually(() => expect(lookups.count).toBe(80));
    for (let n = 0; n < 5; n += 1) expect((await get('/v1/offsets')).status).toBe(200);
    lookups.release();
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('reads of many offsets at a time', () => {
  it('share requests, and each gets the view of its own offset; one that is not recorded yet is read alone', async () => {
    const ids = Array.from({ length: 60 }, () => TEST_IDS.generate('off', 'default'));
    const [unrecorded] = ids;
    const view = (id: string) => `{"id":"${id}","odd spacing":  1.50}`;
    offsets.respond(async (request, response) => {
      if (request.method === 'GET') return UNRECORDED(request, response);
      const requested = offsetLookup.parse(await jsonBody(request)).offsets;
      const views = requested.map(({ account, id }) => (account === 'default' && id !== unrecorded ? view(id) : null));
      // Others gather while a request takes its time.
      setTimeout(() => json(JSON.stringify({ views }))(request, response), 30);
    });
    const before = offsets.requests.length;
    const answers = await Promise.all(ids.map((id) => get(`/v1/offsets?id=${id}`)));
    expect(answers.map(({ body }) => body.toString())).toEqual(
      ids.map((id) => (id === unrecorded ? `{"id":"${id}","status":"queued"}` : view(id))),
    );
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
    const made = offsets.requests.slice(before);
    expect(made.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(made.length).toBeLessThan(ids.length / 2);
  });
});
