import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type Estimate, eventually, idOf, type Offset } from './testing/client.js';
import { expectTaken, least, type Refused, refused } from './testing/refused.js';
import { type Part, System } from './testing/system.js';

/** The maximum time of a POST. */
const MAX_POST_MS = 5_500;
/** Between requests, because the machine may stall at one of these times. */
const STAGGER_MS = 700;
/** The gateway times out after 1.6 s (catalog) or 2.5 s (offsets); the rest allows for a busy machine. */
const MAX_READ_MS = 6_000;
const KG = 1_000;
const [IN_FLIGHT, LOAD] = [32, 800];
const PARTS: Part[] = ['gateway', 'offsets', 'catalog', 'postgres', 'opensearch', 'kafka'];

let system: System;
let api: Client;
/** The references of all accepted offsets. */
const references: string[] = [];

beforeAll(async () => {
  system = await System.start({}, { ownEngines: true });
  api = system.client;
}, 300_000);
afterAll(() => system.stop(), 120_000);

/** Runs `work` for each of `count`, with bounded concurrency. */
async function each<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return results;
}

/** Posts, and reads every fifth offset back at once: no accepted id may get 404. Calls `meanwhile` after a third. */
async function load(count: number, meanwhile: () => Promise<void>): Promise<string[]> {
  let done = 0;
  let action: Promise<void> | undefined;
  const run = randomUUID();
  const ids = await each(count, async (n) => {
    const customerRef = `${run}-${n}`;
    const id = await api.accepted({ kgCO2e: n + 0.5, customerRef }, customerRef);
    references.push(customerRef);
    done += 1;
    if (done > count / 3) action ??= meanwhile();
    action?.catch(() => {});
    const read = n % 5 === 0 ? (await api.requestOnce(`/v1/offsets?id=${id}`)).status : 200;
    expect([0, 200, 503]).toContain(read);
    return id;
  });
  await action;
  expect(new Set(ids).size).toBe(count);
  return ids;
}

const completed = (ids: readonly string[]) =>
  each(ids.length, async (n) => expect((await api.ended(ids[n] ?? '')).status).toBe('completed'));

describe('a part killed with -9 under load', () => {
  it.each(PARTS)(
    'causes no loss, no duplicate and no 404: %s',
    async (part) => {
      const ids = await load(LOAD, () => system.killAndWait('SIGKILL', part));
      await completed(ids);
      await system.audit();
      expect(await system.deadLetters()).toEqual({});
    },
    300_000,
  );

  it('leaves exactly one offset for each request', async () => {
    const listed = await api.walk<Offset>('/v1/offsets?limit=100');
    expect(listed.map(({ customerRef }) => customerRef).sort()).toEqual([...references].sort());
  }, 120_000);
});

describe('with everything down except Kafka and the gateway', () => {
  const paths = ['/v1/offsets', '/v1/assets/pools?criteria=&fullTextSearch=', '/v1/assets/schema'];

  it('POST gets 202, reads and searches get 503 within seconds, and all offsets complete later', async () => {
    const ids: string[] = [];
    await system.without(['offsets', 'catalog', 'postgres', 'opensearch'], async () => {
      for (let n = 0; n < 50; n += 1)
        ids.push(idOf(await api.requestOnce('/v1/offsets', { method: 'POST', body: { kgCO2e: 1 } })));
      for (const path of [`/v1/offsets?id=${ids[0]}`, ...paths]) {
        const began = performance.now();
        const unavailable = { body: { code: 'service_unavailable' }, headers: { 'retry-after': expect.any(String) } };
        expect(await api.requestOnce(path)).toMatchObject({ status: 503, ...unavailable });
        expect(performance.now() - began).toBeLessThan(MAX_READ_MS);
      }
    });
    await completed(ids);
  }, 300_000);
});

describe('while OpenSearch is suspended', () => {
  it('a hundred searches delay no offset, and invalid requests still get 400', async () => {
    system.signal('opensearch', 'SIGSTOP');
    try {
      const searches = Array.from({ length: 100 }, (_, n) =>
        api.requestOnce(`/v1/assets/pools?criteria=rating>${n}&fullTextSearch=`),
      );
      const began = performance.now();
      expect(await api.settled({ kgCO2e: 1 })).toMatchObject({ status: 'completed' });
      expect(performance.now() - began).toBeLessThan(MAX_READ_MS);
      for (const { status } of await Promise.all(searches)) expect(status).toBe(503);
      expect(await api.ask('/v1/assets/pools?criteria=tiker:BCT&fullTextSearch=')).toMatchObject({ status: 400 });
    } finally {
      system.signal('opensearch', 'SIGCONT');
    }
    expect(await api.ask('/v1/assets/pools?criteria=rating>0&fullTextSearch=')).toMatchObject({ status: 200 });
  }, 120_000);
});

describe('requests that are refused while Kafka is suspended, then down', () => {
  const refusals: Refused[] = [];
  let estimate: Estimate;
  let neverRetried: Refused;

  it('get 503 in bounded time, with a key for the retry that identifies the request', async () => {
    estimate = await api.estimate(KG);
    const body = { kgCO2e: KG, estimateId: estimate.id };
    // Before a send, the producer refreshes metadata older than a minute. A new gateway has fresh metadata.
    await system.killAndWait('SIGKILL', 'gateway');
    await api.settled({ kgCO2e: 1 });
    system.signal('kafka', 'SIGSTOP');
    const all = [undefined, randomUUID(), undefined].map(async (key, n) => {
      await pause(n * STAGGER_MS);
      return await refused(api, { kgCO2e: KG }, key);
    });
    const unknown = await Promise.all(all).finally(() => system.signal('kafka', 'SIGCONT'));
    refusals.push(...unknown);
    expect(unknown.map(({ code }) => code)).toEqual(all.map(() => 'outcome_unknown'));
    await system.without(['kafka'], async () => {
      const refusedWhileDown: Refused[] = [];
      for (let tries = 0; tries < 8 && refusedWhileDown.at(-1)?.code !== 'not_accepted'; tries += 1)
        refusedWhileDown.push(await refused(api, { kgCO2e: KG }));
      refusedWhileDown.push(await refused(api, body), await refused(api, { kgCO2e: KG }, randomUUID()));
      refusals.push(...refusedWhileDown);
      expect(refusedWhileDown.slice(-3).map(({ code }) => code)).toEqual([
        'not_accepted',
        'not_accepted',
        'not_accepted',
      ]);
      neverRetried = await refused(api, { kgCO2e: 4_321 });
      expect(neverRetried.code).toBe('not_accepted');
      for (const one of refusedWhileDown) await expectTaken(api, one);
      expect(least(refusedWhileDown)).toBeLessThan(MAX_POST_MS);
    });
    expect(least(unknown)).toBeLessThan(MAX_POST_MS);
  }, 300_000);

  it('create one offset each when they are retried, dated and priced on arrival, even by a gateway with an empty cache', async () => {
    await system.killAndWait('SIGKILL', 'gateway');
    const expiresAt = new Date(Date.now() - 60_000);
    await system.sql(
      `UPDATE estimates SET created_at = $2::timestamptz - interval '1 day', expires_at = $2 WHERE id = $1`,
      [estimate.id, expiresAt],
    );
    const before = (await api.settled({ kgCO2e: 1 })).createdAt;
    for (const { body, code, retryKey } of refusals) {
      const offset = await api.settled(body, retryKey);
      if (retryKey.startsWith('off_')) expect(offset.id).toBe(retryKey);
      expect(offset.failure?.code).toBe(body.estimateId && 'estimate_expired');
      // A message that was sent to Kafka but not confirmed may have been accepted.
      if (code === 'not_accepted') expect(offset.createdAt >= before).toBe(true);
    }
    const listed = await api.walk<Offset>('/v1/offsets?limit=100');
    expect(listed.filter(({ kgCO2e }) => kgCO2e === KG)).toHaveLength(refusals.length);
    expect(listed.filter(({ kgCO2e }) => kgCO2e === neverRetried.body.kgCO2e)).toEqual([]);
    expect(await api.receipt(neverRetried.retryKey)).toEqual([]);
  }, 120_000);
});

describe('fifty requests that are retried repeatedly', () => {
  const keys = Array.from({ length: 50 }, (_, n) => `again-${n}`);
  const order = (n: number) => ({ kgCO2e: n + 0.25, customerRef: `again-${n}` });
  let ids: string[];
  const replay = () => each(keys.length, (n) => api.accepted(order(n), keys[n]));

  beforeAll(async () => {
    ids = await replay();
  }, 60_000);

  it.each(
    (['gateway', 'offsets', 'catalog'] as const).flatMap((part) => [
      [part, 'SIGKILL'] as const,
      [part, 'SIGTERM'] as const,
    ]),
  )(
    'get the same ids while %s receives %s',
    async (part, signal) => {
      const [again] = await Promise.all([replay(), system.killAndWait(signal, part)]);
      expect([again, await replay()]).toEqual([ids, ids]);
    },
    120_000,
  );

  it('get the same ids after a restart of the system with a new secret before the old one', async () => {
    await system.restart({ ID_SECRETS: `${randomBytes(32).toString('base64url')},${system.environment.ID_SECRETS}` });
    expect(await replay()).toEqual(ids);
  }, 300_000);

  it('result in one offset, one ledger entry and one event each', async () => {
    await completed(ids);
    for (const id of ids) expect(await api.receipt(id)).toHaveLength(1);
    await eventually(async () => {
      const events = (await system.topics.read('offset.completed')).filter(({ key }) => ids.includes(key));
      expect(new Set(events.map(({ headers }) => headers.ce_id))).toEqual(
        new Set(ids.map((id) => `${id}.offset.completed.v1`)),
      );
    });
    expect(await system.deadLetters()).toEqual({});
  }, 120_000);

  it('are not changed by a different request with one of their keys', async () => {
    const [id = ''] = ids;
    const before = await api.ended(id);
    await system.killAndWait('SIGKILL', 'gateway');
    await system.without(['offsets'], async () => {
      const answer = await api.post({ kgCO2e: 1_000 }, keys[0]);
      expect([idOf(answer), answer.headers['idempotency-replayed']]).toEqual([id, undefined]);
    });
    await eventually(async () => {
      const deadLetters = await system.topics.read('offset.requested.dead-letter');
      const reasons = deadLetters.map(({ key, headers }) => [key, headers['x-reason-code']]);
      expect(reasons).toEqual([[id, 'idempotency_conflict']]);
    });
    expect(await api.ended(id)).toEqual(before);
  }, 120_000);
});
