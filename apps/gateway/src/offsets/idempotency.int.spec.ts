import type { RequestListener } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fingerprint } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { offsetIdOf, startPublishingGateway, TEST_IDS, useGateway } from '../testing/gateway.js';
import { problem, type TestResponse } from '../testing/http.js';
import { holding, json, reply, useStub } from '../testing/stub-server.js';

const BODY = { kgCO2e: 12.5, customerRef: 'u-1' };
/** How long the stub takes for a look-up, so that others gather meanwhile. */
const LATENCY_MS = 30;
const REUSED = problem(422, 'idempotency_key_reused');

/** The response of the offsets service to a look-up. */
const recorded = (all: readonly object[], isComplete = true) => json(JSON.stringify({ recorded: all, isComplete }));
const NOTHING_RECORDED = recorded([]);

const offsets = useStub(NOTHING_RECORDED);
const gateway = useGateway(() => ({ OFFSETS_URL: offsets.url }), startPublishingGateway);
beforeEach(() => offsets.respond(NOTHING_RECORDED));

const post = (key?: string, body: object | string = BODY, to = gateway) =>
  to.send({
    method: 'POST',
    path: '/v1/offsets',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    body,
  });
const isReplay = ({ headers }: TestResponse) => headers['idempotency-replayed'] === 'true';
const publishedAs = async (id: string) => (await gateway.published()).filter(({ key }) => String(key) === id);
const idOfKey = (key: string) => TEST_IDS.fromKey('default', key);

describe('POST /v1/offsets again under the same Idempotency-Key', () => {
  it('gives the same response, marked as a replay, and publishes nothing', async () => {
    const [first, again] = [await post('order-1'), await post('order-1')];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect([again.body, again.headers.location]).toEqual([first.body, first.headers.location]);
    expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
    expect(offsetIdOf(first)).toBe(idOfKey('order-1'));
    expect(await publishedAs(offsetIdOf(first))).toHaveLength(1);
  });

  it('is the same request however its JSON is written', async () => {
    const first = await post('order-2', '{"kgCO2e":12.50,"customerRef":"u-1"}');
    const again = await post('order-2', ' { "customerRef" : "\\u0075-1", "kgCO2e": 1.25e1 } ');
    expect([again.body, isReplay(again)]).toEqual([first.body, true]);
  });

  it('publishes once for 200 concurrent requests, and marks 199 as replays', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => post('order-3')));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(responses.filter(isReplay)).toHaveLength(199);
    expect(await publishedAs(idOfKey('order-3'))).toHaveLength(1);
  });

  it('takes the id of an offset as the key of that offset', async () => {
    const first = await post();
    const again = await post(offsetIdOf(first));
    expect([offsetIdOf(again), isReplay(again)]).toEqual([offsetIdOf(first), true]);
    expect(await post(offsetIdOf(first), { kgCO2e: 2 })).toEqual(REUSED);
    expect(await publishedAs(offsetIdOf(first))).toHaveLength(1);
  });

  it('creates the offset of an id that was generated and never used, with the id’s time', async () => {
    const id = TEST_IDS.generate('off', 'default', Date.parse('2026-03-02T10:15:30.123Z'));
    const response = await post(id);
    expect([response.status, offsetIdOf(response), isReplay(response)]).toEqual([202, id, false]);
    expect((await publishedAs(id))[0]?.value).toMatchObject({ createdAt: '2026-03-02T10:15:30.123Z' });
  });

  it('is a new offset without a key', async () => {
    const [one, other] = [await post(), await post()];
    expect(offsetIdOf(one)).not.toBe(offsetIdOf(other));
    expect(isReplay(other)).toBe(false);
  });
});

describe('POST /v1/offsets with another body under an Idempotency-Key that is known', () => {
  it('answers 422, and keeps the first', async () => {
    const accepted = await post('order-4');
    for (const other of [
      { ...BODY, kgCO2e: 2 },
      { ...BODY, customerRef: 'v' },
      { kgCO2e: 12.5 },
      { ...BODY, estimateId: 'e' },
    ])
      expect(await post('order-4', other)).toEqual(REUSED);
    expect((await post('order-4')).body).toEqual(accepted.body);
  });

  it('accepts one of two concurrent bodies, and publishes no other', async () => {
    const bodies = Array.from({ length: 40 }, (_, n) => ({ kgCO2e: 1 + (n % 2) }));
    const responses = await Promise.all(bodies.map((body) => post('order-race', body)));
    const statusesOf = (half: number) =>
      new Set(responses.filter((_, n) => n % 2 === half).map(({ status }) => status));
    expect([[...statusesOf(0)], [...statusesOf(1)]].sort()).toEqual([[202], [422]]);
    expect(await publishedAs(idOfKey('order-race'))).toHaveLength(1);
  });
});

describe('POST /v1/offsets under a key that this process has not cached', () => {
  const records = (id: string, sha256: string, account = 'default') => recorded([{ account, id, fingerprint: sha256 }]);
  let keys = 0;
  const newKey = () => {
    keys += 1;
    return { key: `unknown-${keys}`, id: idOfKey(`unknown-${keys}`) };
  };

  it('is a replay of a recorded request, also when its estimate would be refused today; a refused one leaves the key free', async () => {
    const [{ key, id }, other] = [newKey(), newKey()];
    const body = { ...BODY, estimateId: 'e' };
    offsets.respond(records(id, fingerprint(body)));
    const response = await post(key, body);
    expect([response.status, offsetIdOf(response), isReplay(response)]).toEqual([202, id, true]);
    offsets.respond(NOTHING_RECORDED);
    expect(await post(other.key, body)).toEqual(problem(400, 'invalid_request'));
    expect((await post(other.key)).status).toBe(202);
    expect(await publishedAs(id)).toEqual([]);
    expect(await publishedAs(other.id)).toHaveLength(1);
  });

  it('is a replay when the offsets service has recorded the same request, and 422 for another; both are remembered', async () => {
    const { key, id } = newKey();
    offsets.respond(records(id, fingerprint(BODY)));
    expect(await post(key, { kgCO2e: 4 })).toEqual(REUSED);
    const response = await post(key);
    expect([response.status, offsetIdOf(response), isReplay(response)]).toEqual([202, id, true]);
    expect(offsets.requests.at(-1)).toMatchObject({ method: 'POST', path: '/internal/fingerprints' });
    const count = offsets.requests.length;
    expect(isReplay(await post(key))).toBe(true);
    expect(await post(key, { kgCO2e: 4 })).toEqual(REUSED);
    expect(offsets.requests).toHaveLength(count);
    expect(await publishedAs(id)).toEqual([]);
  });

  it('yields to the request that was recorded first, through another process', async () => {
    const { key, id } = newKey();
    expect((await post(key, { kgCO2e: 4 })).status).toBe(202);
    offsets.respond(records(id, fingerprint(BODY)));
    expect(isReplay(await post(key))).toBe(true);
    expect(await post(key, { kgCO2e: 4 })).toEqual(REUSED);
    expect(await publishedAs(id)).toHaveLength(1);
  });

  it('looks up an id that is used as a key as well, and nothing without a key', async () => {
    const id = TEST_IDS.generate('off', 'default');
    offsets.respond(records(id, fingerprint(BODY)));
    expect(isReplay(await post(id))).toBe(true);
    const count = offsets.requests.length;
    expect((await post()).status).toBe(202);
    expect(offsets.requests).toHaveLength(count);
  });

  it.each<[string, (id: string) => RequestListener]>([
    ['has no record', () => NOTHING_RECORDED],
    ['cannot tell, because its database is being compared', () => recorded([], false)],
    ['is of an older release', () => reply(405, 'application/problem+json', '{"code":"method_not_allowed"}')],
    ['says that it is busy', () => reply(503, 'application/problem+json', '{"code":"service_unavailable"}')],
    ['is another server that has no such path', () => reply(404, 'text/html', '<h1>404</h1>')],
    ['names another id', () => records(TEST_IDS.generate('off', 'default'), fingerprint({ kgCO2e: 4 }))],
    ['names another account', (id) => records(id, fingerprint({ kgCO2e: 4 }), 'other')],
    ['names no fingerprint', (id) => recorded([{ account: 'default', id }])],
    ['names something of another form', (id) => records(id, 'x')],
    ['sends what is no JSON after all', () => json('{"id":}')],
    ['breaks the connection', () => (request) => request.socket.destroy()],
  ])('is published when the server behind it %s', async (_, listener) => {
    const { key, id } = newKey();
    offsets.respond(listener(id));
    const response = await post(key);
    expect([response.status, isReplay(response)]).toEqual([202, false]);
    expect(await publishedAs(id)).toHaveLength(1);
  });

  it('looks up the keys of concurrent requests together, each for its account', async () => {
    const all = Array.from({ length: 100 }, newKey);
    const bodies: { offsets: object[] }[] = [];
    const known = all.filter((_, n) => n % 2 === 0).map(({ id }) => id);
    const found = known.map((id) => ({ account: 'default', id, fingerprint: fingerprint(BODY) }));
    offsets.respond((request, response) => {
      void jsonOf(request).then(async (body) => {
        bodies.push(body as { offsets: object[] });
        await setTimeout(LATENCY_MS);
        recorded(found)(request, response);
      });
    });
    const responses = await Promise.all(all.map(({ key }) => post(key)));
    expect(responses.map(isReplay)).toEqual(all.map((_, n) => n % 2 === 0));
    const lookedUp = bodies.flatMap((body) => body.offsets);
    expect(new Set(lookedUp.map((each) => JSON.stringify(each)))).toEqual(
      new Set(all.map(({ id }) => JSON.stringify({ account: 'default', id }))),
    );
    expect([lookedUp.length, bodies.length < 50]).toEqual([100, true]);
  });

  it('gets its answer although the client of another look-up has left', async () => {
    const { key, id } = newKey();
    const held = holding(records(id, fingerprint(BODY)));
    offsets.respond(held.listener);
    const leaving = new AbortController();
    const left = fetch(`${gateway.url}/v1/offsets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': newKey().key },
      body: JSON.stringify(BODY),
      signal: leaving.signal,
    });
    const stays = post(key);
    await eventually(() => expect(held.count).toBeGreaterThan(0));
    leaving.abort();
    await expect(left).rejects.toThrow();
    held.release();
    expect(isReplay(await stays)).toBe(true);
  });

  describe('while the offsets service does not answer', () => {
    const impatient = useGateway(
      () => ({ OFFSETS_URL: offsets.url, REPLAY_TIMEOUT_MS: '200' }),
      startPublishingGateway,
    );

    it('waits briefly, then not at all, and looks up again when the service is back', async () => {
      offsets.respond(() => {});
      const before = offsets.requests.length;
      for (let n = 0; n < 20; n += 1) expect((await post(newKey().key, BODY, impatient)).status).toBe(202);
      expect(offsets.requests.length - before).toBeLessThan(15);
      offsets.respond(NOTHING_RECORDED);
      await eventually(async () => {
        const count = offsets.requests.length;
        for (let n = 0; n < 2; n += 1) await post(newKey().key, BODY, impatient);
        expect(offsets.requests).toHaveLength(count + 2);
      });
    });
  });
});
