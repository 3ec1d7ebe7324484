import type { RequestListener } from 'node:http';
import { fingerprint, Ids } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { problem } from '../../test-client.js';
import { startGateway, TEST_SECRETS, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

const ids = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
const BODY = { kgCO2e: 3, customerRef: 'u' };
const JSON_TYPE = 'application/json; charset=utf-8';
const unrecorded = says(404, 'application/problem+json', '{"code":"not_found","status":404}');
const records = (id: string, recorded: string) => says(200, JSON_TYPE, JSON.stringify({ id, fingerprint: recorded }));

let answer: RequestListener;
let offsets: TestUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  offsets = await startUpstream((request, response) => answer(request, response));
  gateway = await startGateway({ OFFSETS_URL: offsets.url });
});
afterAll(async () => {
  await gateway.close();
  await offsets.close();
});
beforeEach(() => {
  answer = unrecorded;
});

const post = (key?: string, body: object = BODY) =>
  gateway.ask({
    method: 'POST',
    path: '/v1/offsets',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body,
  });
const published = async (id: string) => (await gateway.requested()).some(({ key }) => String(key) === id);
/** A key that nobody has used, and its id. */
let keys = 0;
const newKey = () => {
  keys += 1;
  return { key: `order-${keys}`, id: ids.fromKey('default', `order-${keys}`) };
};

describe('POST /v1/offsets under a key that this process does not remember', () => {
  it('is a replay when the offsets service has recorded the same wish, and is not published', async () => {
    const { key, id } = newKey();
    answer = records(id, fingerprint(BODY));
    const given = await post(key);
    expect([given.status, given.headers.location]).toEqual([202, `/v1/offsets?id=${id}`]);
    expect(given.headers['idempotency-replayed']).toBe('true');
    expect(await published(id)).toBe(false);
    expect(offsets.asked.at(-1)).toMatchObject({
      path: `/internal/fingerprints?offset=${id}`,
      headers: { 'x-account': 'default' },
    });
  });

  it('answers 422 when it has recorded another wish, and publishes nothing', async () => {
    const { key, id } = newKey();
    answer = records(id, fingerprint({ kgCO2e: 4 }));
    expect(await post(key)).toEqual(problem(422, 'idempotency_key_reused'));
    expect(await published(id)).toBe(false);
  });

  it('asks once, and remembers what it was told', async () => {
    const { key, id } = newKey();
    answer = records(id, fingerprint(BODY));
    await post(key);
    const asked = offsets.asked.length;
    expect((await post(key)).headers['idempotency-replayed']).toBe('true');
    expect(await post(key, { kgCO2e: 4 })).toEqual(problem(422, 'idempotency_key_reused'));
    expect(offsets.asked.length).toBe(asked);
  });

  it('gives way to the wish that turns out to have been recorded first, through another process', async () => {
    const { key, id } = newKey();
    expect((await post(key, { kgCO2e: 4 })).status).toBe(202);
    answer = records(id, fingerprint(BODY));
    expect((await post(key)).headers['idempotency-replayed']).toBe('true');
    expect(await post(key, { kgCO2e: 4 })).toEqual(problem(422, 'idempotency_key_reused'));
  });

  it('is published when nothing is recorded', async () => {
    const { key, id } = newKey();
    const given = await post(key);
    expect([given.status, given.headers['idempotency-replayed']]).toEqual([202, undefined]);
    expect(await published(id)).toBe(true);
  });

  it('asks about an id that is used as a key as well, and about no offset without a key', async () => {
    const id = ids.mint('off', 'default');
    answer = records(id, fingerprint(BODY));
    expect((await post(id)).headers['idempotency-replayed']).toBe('true');
    const asked = offsets.asked.length;
    expect((await post()).status).toBe(202);
    expect(offsets.asked.length).toBe(asked);
  });

  it.each<[string, (id: string) => RequestListener]>([
    ['says that it is busy', () => says(503, 'application/problem+json', '{"code":"service_unavailable"}')],
    ['is a stranger who knows no such address', () => says(404, 'text/html', '<h1>404</h1>')],
    ['tells of another id', () => records(ids.mint('off', 'default'), fingerprint({ kgCO2e: 4 }))],
    ['tells no fingerprint', (id) => says(200, JSON_TYPE, JSON.stringify({ id }))],
    ['tells something of another form', (id) => records(id, 'x')],
    ['tells what is no JSON after all', () => says(200, JSON_TYPE, '{"id":}')],
    ['breaks the connection', () => (request) => request.socket.destroy()],
  ])('is published when who answers %s', async (_, answers) => {
    const { key, id } = newKey();
    answer = answers(id);
    expect((await post(key)).status).toBe(202);
    expect(await published(id)).toBe(true);
  });
});

describe('POST /v1/offsets under a key while the offsets service does not answer', () => {
  beforeAll(async () => {
    await gateway.close();
    gateway = await startGateway({ OFFSETS_URL: offsets.url, REPLAY_TIMEOUT_MS: '200' });
  });

  it('waits little for it, then not at all, and asks it again when it is back', async () => {
    answer = () => {};
    const before = offsets.asked.length;
    for (let n = 0; n < 20; n += 1) {
      const given = await post(newKey().key);
      expect(given.status).toBe(202);
      // It would never answer.
      expect(given.ms).toBeLessThan(5_000);
    }
    expect(offsets.asked.length - before).toBeLessThan(15);
    answer = unrecorded;
    await eventually(async () => {
      const asked = offsets.asked.length;
      await post(newKey().key);
      await post(newKey().key);
      expect(offsets.asked.length).toBe(asked + 2);
    });
  });
});
