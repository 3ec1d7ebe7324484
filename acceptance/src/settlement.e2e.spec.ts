import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type Entry, type Estimate, eventually, type Offset } from './testing/client.js';
import { messageErrors } from './testing/described.js';
import { CANARY, System } from './testing/system.js';

let system: System;
let api: Client;
beforeAll(async () => {
  system = await System.start();
  api = system.client;
}, 300_000);
afterAll(() => system.stop(), 60_000);

/** Returns the only event of a topic about an offset, after validating it. */
async function eventOf(topic: string, id: string) {
  return await eventually(async () => {
    const events = await system.topics.eventsOf(topic, id);
    expect(new Set(events.map(({ headers }) => headers.ce_id)).size).toBe(1);
    return { headers: events[0]?.headers, value: events[0]?.value as Record<string, unknown> };
  });
}

describe('the events of an offset', () => {
  it('are its request, published before the 202, and its completion with the hashes of the receipt', async () => {
    const body = { kgCO2e: 1234.5, customerRef: CANARY };
    const { id, completedAt } = (await api.settled(body)) as Offset & { completedAt: string };
    const requested = await eventOf('offset.requested', id);
    expect(requested).toMatchObject({
      headers: { ce_id: id, ce_subject: id },
      value: { ...body, id, account: 'default', grams: '1234500' },
    });
    const fingerprint = createHash('sha256').update(`{"customerRef":"${CANARY}","kgCO2e":1234.5}`).digest('hex');
    expect(requested.value.fingerprint).toBe(fingerprint);
    const { headers, value } = await eventOf('offset.completed', id);
    expect(headers).toMatchObject({ ce_id: `${id}.offset.completed.v1`, ce_subject: id });
    expect(value).toMatchObject({
      ...body,
      id,
      account: 'default',
      grams: '1234500',
      currency: 'USD',
      completedAt,
      fingerprint,
    });
    const entries = await api.receipt(id);
    expect(value.retirements).toMatchObject(
      entries.map(({ asset, hash, previousHash }) => ({ asset, hash, previousHash })),
    );
  });

  it('are its request and its failure', async () => {
    const { id } = await api.settled({ kgCO2e: 1e12 });
    const { headers, value } = await eventOf('offset.failed', id);
    expect(headers).toMatchObject({ ce_id: `${id}.offset.failed.v1` });
    expect(value).toMatchObject({ id, kgCO2e: 1e12, code: 'insufficient_supply' });
    expect(await system.topics.eventsOf('offset.completed', id)).toEqual([]);
  });
});

describe('an estimate', () => {
  const KG = 2_500;
  let estimate: Estimate;

  it('has the current prices, is returned unchanged, and is refused for more than the supply', async () => {
    estimate = await api.estimate(KG);
    expect(estimate).toMatchObject({ kgCO2e: KG, credits: 2.5, currency: 'USD', cost: expect.any(Number) });
    expect(estimate.allocations.reduce((sum, { credits }) => sum + credits, 0)).toBe(2.5);
    expect(await api.get(`/v1/estimates?id=${estimate.id}`)).toEqual(estimate);
    const ask = (body: object) => api.post(body, undefined, '/v1/estimates');
    expect(await ask({ kgCO2e: 1, asset: 'pool_nct' })).toMatchObject({
      status: 201,
      body: { allocations: [{ asset: 'pool_nct' }] },
    });
    expect(await ask({ kgCO2e: 1e12 })).toMatchObject({ status: 409, body: { code: 'insufficient_supply' } });
    expect(await ask({ kgCO2e: 1, asset: 'pool_none' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'asset', code: 'invalid_field' }] },
    });
    expect(await ask({})).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'kgCO2e', code: 'missing_field' }] },
    });
  });

  it('determines the cost of its offset, whatever the price is by then', async () => {
    const [{ asset } = { asset: '' }] = estimate.allocations;
    const file = join(system.dir, 'repriced.ndjson');
    writeFileSync(
      file,
      `${JSON.stringify({ ...JSON.parse(await system.output('assets', 'show', asset)), price: 999.5 })}\n`,
    );
    await system.output('assets', 'publish', file);
    await eventually(async () => expect((await api.estimate(KG)).cost).not.toBe(estimate.cost));
    const offset = await api.settled({ kgCO2e: KG, estimateId: estimate.id });
    expect(offset).toMatchObject({
      status: 'completed',
      estimateId: estimate.id,
      cost: estimate.cost,
      retirements: estimate.allocations,
    });
    expect(await api.get(`/v1/offsets?estimateId=${estimate.id}`)).toEqual([offset]);
  });

  it('is not valid for a second offset or another weight, and is then used by its own offset', async () => {
    const failure = async (kgCO2e: number, estimateId: string) =>
      (await api.settled({ kgCO2e, estimateId })).failure?.code;
    expect(await failure(KG, estimate.id)).toBe('estimate_used');
    const { id, cost } = await api.estimate(KG);
    expect(await failure(KG + 1, id)).toBe('estimate_mismatch');
    expect(await api.settled({ kgCO2e: KG, estimateId: id })).toMatchObject({ status: 'completed', cost });
    const late = await api.estimate(KG);
    await system.sql(
      `UPDATE estimates SET created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days' WHERE id = $1`,
      [late.id],
    );
    expect(await failure(KG, late.id)).toBe('estimate_expired');
  });
});

describe('the ledger', () => {
  it('gives receipts whose hashes can be recomputed, each from the previous entry', async () => {
    const [one, next] = [await api.settled({ kgCO2e: 1234.567 }), await api.settled({ kgCO2e: 0.001 })];
    const [[entry], [later]] = [await api.receipt(one.id), await api.receipt(next.id)];
    expect([entry?.credits, later?.credits]).toEqual([1.234567, 0.000001]);
    expect([later?.sequence, later?.previousHash]).toEqual([(entry?.sequence ?? 0) + 1, entry?.hash]);
    for (const [id, its] of [
      [one.id, entry],
      [next.id, later],
    ] as const)
      expect(its?.hash).toBe(its && hashOf(id, its));
  });

  it('accounts for every gram, in the tables and in the audit', async () => {
    const retired = await system.sql(
      'SELECT asset_id, retired AS grams FROM supply WHERE retired > 0 ORDER BY asset_id',
    );
    expect(retired).not.toEqual([]);
    expect(
      await system.sql('SELECT asset_id, sum(grams)::bigint AS grams FROM ledger GROUP BY asset_id ORDER BY asset_id'),
    ).toEqual(retired);
    expect(await system.sql('SELECT FROM supply WHERE reserved + retired > issued OR reserved <> 0')).toEqual([]);
    for (const check of ['audit', 'verify'])
      expect(await system.output('ledger', check)).toMatch(/^OK: .*ledger entries/);
  });

  it.each(['UPDATE ledger SET grams = grams + 1', 'DELETE FROM ledger', 'TRUNCATE ledger'])(
    'cannot be changed: %s',
    async (statement) => await expect(system.sql(statement)).rejects.toThrow(),
  );
});

/** As on the page about receipts. */
function hashOf(offset: string, { asset, at, credits, price, sequence, previousHash }: Entry): string {
  const micros = (decimal: number) => String(Math.round(decimal * 1e6));
  const text =
    `{"asset":"${asset}","at":"${at}","grams":"${micros(credits)}","offset":"${offset}",` +
    `"priceMicros":"${micros(price)}","sequence":"${sequence}"}`;
  return createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(text).digest('hex');
}

describe('a message that cannot be processed', () => {
  const id = `off_${'1'.repeat(26)}`;
  const createdAt = '2026-03-02T10:15:30.123Z';
  const ce = { ce_specversion: '1.0', ce_type: 'offset.requested.v1', ce_source: '/gateway', ce_time: createdAt };
  const headers = { ...ce, ce_id: id, ce_subject: id, 'content-type': 'application/json' };
  const request = (customerRef: string) => {
    const fingerprint = createHash('sha256').update(`{"customerRef":"${customerRef}","kgCO2e":3}`).digest('hex');
    return JSON.stringify({ id, account: 'default', kgCO2e: 3, customerRef, grams: '3000', createdAt, fingerprint });
  };
  const letters = () => system.topics.read('offset.requested.dead-letter');

  it('becomes a dead letter as documented, byte for byte, and delays no other message', async () => {
    await system.topics.write('offset.requested', { key: id, headers, value: 'poison' });
    await eventually(async () => expect(await letters()).toHaveLength(1));
    const [letter] = await letters();
    const reason = { 'x-reason-code': 'invalid_json', 'x-topic': expect.stringMatching(/offset\.requested$/) };
    expect(letter).toMatchObject({ key: id, value: 'poison', headers: { ...headers, ...reason } });
    expect(messageErrors('deadLetter', letter?.headers ?? {})).toEqual([]);
    expect(await api.settled({ kgCO2e: 1 })).toMatchObject({ status: 'completed' });
    const listed = await system.output('dead-letters', 'list', '--json');
    expect(JSON.parse(listed)).toMatchObject({ place: 'offset.requested:0', reason: 'invalid_json', key: id });
    expect(await system.output('dead-letters', 'show', '--raw', 'offset.requested:0')).toBe('poison');
  });

  it('has its effect once when it is fixed and replayed', async () => {
    const file = join(system.dir, 'fixed.json');
    writeFileSync(file, request('fixed'));
    expect(await system.command('dead-letters', 'replay', 'offset.requested:0')).toMatchObject({ code: 1 });
    for (const _ of ['once', 'twice'])
      await system.output('dead-letters', 'replay', 'offset.requested:0', '--value', file);
    await eventually(async () => {
      const listed = await api.get<Offset[]>('/v1/offsets?customerRef=fixed');
      expect(listed).toMatchObject([{ id, status: 'completed', creditsMatched: 0.003 }]);
    });
    const replays = (await system.topics.read('offset.requested')).flatMap(
      (message) => message.headers['x-replay-of'] ?? [],
    );
    expect(replays).toEqual(['offset.requested.dead-letter:0', 'offset.requested.dead-letter:0']);
  });

  it('is a different request under the id of a recorded one, which stays unchanged', async () => {
    await system.topics.write('offset.requested', { key: id, headers, value: request('other') });
    await eventually(async () => {
      const reasons = (await letters()).map((letter) => letter.headers['x-reason-code']);
      expect(reasons).toEqual(['invalid_json', 'idempotency_conflict']);
    });
    expect(await api.get('/v1/offsets?customerRef=other')).toEqual([]);
    expect(await api.get('/v1/offsets?customerRef=fixed')).toHaveLength(1);
  });
});

it('leaves every topic created, and no dead letters except these two', async () => {
  expect(await system.output('topics')).toMatch(/^all topics already exist/);
  expect(await system.deadLetters()).toEqual({ 'offset.requested': 2 });
});
