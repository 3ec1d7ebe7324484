import { setInterval } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { loadConfig } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { audit } from '../ledger-cli/audit.js';
import { inSnapshot } from '../ledger-cli/snapshot.js';
import { Worker } from '../pace/worker.js';
import { registrySettings } from '../registry.config.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import {
  type Behaviour,
  type Exchange,
  honestly,
  inTurn,
  refuses,
  says,
  sends,
  TestRegistry,
  thoughDone,
} from '../test-registry.js';
import { HttpRegistry } from './registry.http.js';
import type { RetireOffsets } from './retire-offsets.js';

const OFFSETS = 12;
const TIMEOUT_MS = 250;
const ENVIRONMENT = {
  REGISTRY_TOKEN: 'a token of sixteen'.replaceAll(' ', '-'),
  REGISTRY_CONCURRENCY: '4',
  REGISTRY_CONNECT_TIMEOUT_MS: '200',
  REGISTRY_TIMEOUT_MS: String(TIMEOUT_MS),
  REGISTRY_RETRY_MIN_MS: '20',
  REGISTRY_RETRY_MAX_MS: '1000',
  REGISTRY_BREAKER_MIN_MS: '20',
  REGISTRY_BREAKER_MAX_MS: '100',
};

const reset: Behaviour = ({ response }) => void response.destroy();
const silence: Behaviour = () => {};
const status = (code: number, headers: Record<string, string> = {}) => says(code, { code: 'x' }, headers);
const asIf =
  (change: (said: Record<string, unknown>) => unknown): Behaviour =>
  (exchange) => {
    const applied = exchange.apply();
    if (applied === undefined) exchange.honestly();
    else says(200, change({ ...applied }))(exchange);
  };

/** Sends a byte now and then, for longer than anybody waits. */
const slowly: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  void (async () => {
    for await (const _ of setInterval(TIMEOUT_MS / 10)) if (!response.write(' ') || response.destroyed) return;
  })();
};

/** Says that it goes on for ever, and does. */
const endlessly: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

describe('an external registry', () => {
  let test: TestDatabase;
  let registry: TestRegistry;
  let way: HttpRegistry;
  let step: RetireOffsets;
  let worker: Worker;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a', { price: 5, issued: 1 }), pool('b', { price: 20 })]);
    registry = await TestRegistry.start();
    way = new HttpRegistry(registry.url, loadConfig(z.object(registrySettings), ENVIRONMENT));
    step = test.retiring(way);
    worker = new Worker('retire', () => step.sweep(), test.bells.reserved, 20);
  });
  afterEach(async () => {
    await worker.stop();
    await step.stop();
    await way.onApplicationShutdown();
    await registry.stop();
    await test.close();
  });

  /** Reserves what was asked for and hands it over, as the service does. */
  const begin = async (...kilograms: number[]) => {
    const ids = await test.ask(...kilograms);
    const claim = await test.reserveCredits.run();
    if (claim) await step.run(claim);
    worker.start();
    return ids;
  };
  const some = Array.from({ length: OFFSETS }, (_, n) => 100 + n / 1_000);
  const settled = (counts: Record<string, number>, within = 15_000) =>
    eventually(async () => expect(await test.counts()).toEqual(counts), { within });
  const holds = async () => expect(await inSnapshot(test.url, audit)).toEqual({ faults: [], warnings: [] });
  const appliedOnce = (ids: readonly string[]) => {
    expect(registry.ledger.map(({ offset }) => offset).sort()).toEqual([...ids].sort());
  };

  it('is asked once an offset, for all of its lines, under its id', async () => {
    const [split = '', whole = ''] = await begin(1_234.5, 1);
    await settled({ completed: 2 });
    appliedOnce([split, whole]);
    const [call] = registry.callsAbout(split);
    expect(call).toMatchObject({ method: 'POST', key: split });
    expect(call?.headers).toMatchObject({
      authorization: `Bearer ${ENVIRONMENT.REGISTRY_TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(registry.ledger.find(({ offset }) => offset === split)?.lines).toEqual([
      { asset: 'pool_a', grams: '1000000', priceMicros: '5000000' },
      { asset: 'pool_b', grams: '234500', priceMicros: '20000000' },
    ]);
    expect(registry.calls).toHaveLength(2);
    const references = await test.rows('SELECT DISTINCT offset_id, registry_reference FROM ledger ORDER BY 1');
    expect(references).toEqual(
      [split, whole].sort().map((offset_id) => ({
        offset_id,
        registry_reference: registry.ledger.find(({ offset }) => offset === offset_id)?.reference,
      })),
    );
    await holds();
  });

  it.each<[string, Behaviour]>([
    ['never answers', silence],
    ['closes the connection', reset],
    ['answers 500', status(500)],
    ['answers 502 with a page', sends(502, 'text/html', '<h1>Bad Gateway</h1>')],
    ['answers 503 and asks for patience', status(503, { 'retry-after': '0' })],
    ['answers 408', refuses(408)],
    ['answers 425', refuses(425)],
    ['answers 429', refuses(429)],
    ['answers 429 until a day that has passed', status(429, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' })],
    ['answers garbage', sends(200, 'application/json', '{"offset": ')],
    ['answers no text', sends(200, 'application/json', Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
    ['answers with a page', sends(200, 'text/html', '<h1>Welcome</h1>')],
    ['answers with nothing', sends(204, 'application/json', '')],
    ['answers that it will see to it', says(202, { message: 'queued' })],
    ['answers packed', sends(200, 'application/json', gzipSync('{}'), { 'content-encoding': 'gzip' })],
    ['answers byte by byte', slowly],
    ['answers without end', endlessly],
    ['sends us elsewhere', status(307, { location: '/v1/elsewhere' })],
    ['sends us elsewhere for good', status(301, { location: 'http://127.0.0.1:1/v1/retirements' })],
    ['answers 401 without a word of the offset', status(401)],
    ['answers 404 like somebody who knows nothing of us', sends(404, 'text/plain', 'no such page')],
    ['refuses another offset', says(422, { offset: 'off_00000000000000000000000001', code: 'asset_frozen' })],
    ['refuses with a page', ({ offset, response }) => sends(422, 'text/html', `{"offset":"${offset}"}`)({ response })],
    ['tells of another offset', asIf((said) => ({ ...said, offset: 'off_00000000000000000000000001' }))],
    ['tells of fewer lines', asIf((said) => ({ ...said, lines: [] }))],
    [
      'tells of a gram more',
      asIf((said) => ({
        ...said,
        lines: (said.lines as { grams: string }[]).map((l) => ({ ...l, grams: `${l.grams}1` })),
      })),
    ],
    ['tells of grams that are no text', asIf((said) => ({ ...said, lines: [{ asset: 'pool_a', grams: 1 }] }))],
    ['has a reference of a novel’s length', asIf((said) => ({ ...said, reference: 'R'.repeat(257) }))],
    ['has a reference that is no text', asIf((said) => ({ ...said, reference: 7 }))],
  ])('that %s is asked again until it is known, whether it has retired or not', async (_, fault) => {
    registry.behaves = inTurn(fault, fault, honestly);
    const first = await begin(...some.slice(0, 3));
    await settled({ completed: 3 });
    registry.behaves = inTurn(thoughDone(fault), fault, honestly);
    const second = await begin(...some.slice(0, 3));
    await settled({ completed: 6 });
    appliedOnce([...first, ...second]);
    for (const id of [...first, ...second]) {
      expect(registry.callsAbout(id).every(({ key, method }) => method === 'GET' || key === id)).toBe(true);
    }
    await holds();
  });

  it('is asked whether it has retired before it is asked to again', async () => {
    registry.behaves = inTurn(thoughDone(silence), honestly);
    const ids = await begin(...some);
    await settled({ completed: OFFSETS });
    appliedOnce(ids);
    const methods = ids.map((id) => registry.callsAbout(id).map(({ method }) => method));
    expect(methods).toEqual(ids.map(() => ['POST', 'GET']));
    const attempts = await test.rows('SELECT DISTINCT registry_attempts FROM offsets');
    expect(attempts).toEqual([{ registry_attempts: 2 }]);
  });

  it.each([400, 402, 403, 404, 409, 410, 422, 451])(
    'that refuses an offset by name with %i fails it, and gives back what was reserved, once',
    async (code) => {
      registry.behaves = (exchange) =>
        (exchange.offset === refused ? refuses(code, 'asset_frozen') : honestly)(exchange);
      let refused = '';
      const ids = await test.ask(1_000, 500);
      [refused = ''] = ids;
      const claim = await test.reserveCredits.run();
      if (claim) await step.run(claim);
      worker.start();
      await settled({ completed: 1, failed: 1 });
      appliedOnce(ids.slice(1));
      const [row] = await test.rows('SELECT * FROM offsets WHERE id = $1', [refused]);
      expect(row).toMatchObject({
        status: 'failed',
        failure_code: 'registry_refused',
        failure_detail: 'The registry refused to retire these credits (asset_frozen). Nothing was retired.',
        cost_micros: null,
        lease_token: null,
        completed_at: null,
        failed_at: expect.any(Date),
      });
      expect(await test.rows('SELECT * FROM reservations')).toEqual([]);
      expect(await test.rows('SELECT reserved, retired FROM supply ORDER BY asset_id')).toEqual([
        { reserved: '0', retired: '0' },
        { reserved: '0', retired: '500000' },
      ]);
      const events = await test.rows('SELECT event_id, payload FROM outbox WHERE offset_id = $1', [refused]);
      expect(events).toMatchObject([
        { event_id: `${refused}.offset.failed.v1`, payload: { code: 'registry_refused', id: refused } },
      ]);
      await holds();
      await begin(1_000);
      await settled({ completed: 2, failed: 1 });
    },
  );

  it('that refuses what is more than the library still issues leaves the supply as it should be', async () => {
    registry.behaves = inTurn(silence, refuses(422));
    await begin(1_000);
    await eventually(() => expect(registry.calls).toHaveLength(1));
    await test.bring([pool('a', { price: 5, issued: 0.4 })]);
    await settled({ failed: 1 });
    await holds();
    expect(await test.rows(`SELECT issued, reserved FROM supply WHERE asset_id = 'pool_a'`)).toEqual([
      { issued: '400000', reserved: '0' },
    ]);
  });

  it('dies and comes back: nothing is lost, doubled or failed', async () => {
    const ids = await begin(...some);
    await eventually(() => expect(registry.ledger.length).toBeGreaterThan(2), { every: 1 });
    await registry.stop();
    const more = await begin(...some);
    await eventually(() => expect(way.tally.unknown).toBeGreaterThan(5));
    expect(await test.counts()).not.toHaveProperty('failed');
    await registry.start();
    await settled({ completed: 2 * OFFSETS });
    appliedOnce([...ids, ...more]);
    await holds();
  });

  it('that misbehaves in every way at once has each offset retired exactly once', async () => {
    const faults = [silence, reset, slowly, endlessly, status(500), status(307, { location: '/' }), honestly, honestly];
    let n = 0;
    const next = () => faults[n++ % faults.length] ?? honestly;
    registry.behaves = (exchange) => {
      const fault = next();
      if (n % 3 === 0) thoughDone(fault)(exchange);
      else fault(exchange);
    };
    const ids = await begin(...some, ...some, ...some, ...some);
    await settled({ completed: 4 * OFFSETS }, 30_000);
    appliedOnce(ids);
    await holds();
  });

  it('is left alone for as long as it asks for, within our bounds', async () => {
    registry.behaves = inTurn(status(429, { 'retry-after': '86400' }), honestly);
    const [id = ''] = await begin(1);
    await settled({ completed: 1 });
    const [first, second] = registry.callsAbout(id) as [Exchange, Exchange];
    expect(second.at - first.at).toBeGreaterThan(950);
    expect(second.at - first.at).toBeLessThan(3_000);
  });

  it('that is dead is not asked about every offset, and each is settled soon after it lives', async () => {
    registry.behaves = silence;
    await begin(...Array.from({ length: 200 }, () => 1));
    const startedAt = performance.now();
    await eventually(() => expect(way.breaker.state).toBe('open'));
    await eventually(() => expect(performance.now() - startedAt).toBeGreaterThan(2_000));
    // Four at a time until the fifth failure, then one at a time: unhindered it would be four every 250 ms.
    expect(registry.calls.length).toBeLessThan(20);
    const [asked] = await test.rows('SELECT count(*)::integer AS n FROM offsets WHERE registry_attempts > 0');
    expect(asked).toEqual({ n: expect.any(Number) });
    registry.behaves = honestly;
    await settled({ completed: 200 });
    await holds();
  });

  it('that knows what an earlier process did is believed by a later one', async () => {
    registry.behaves = thoughDone(silence);
    const [id = ''] = await begin(1);
    await eventually(() => expect(registry.ledger).toHaveLength(1));
    await worker.stop();
    await step.stop();
    registry.behaves = honestly;
    const later = new HttpRegistry(registry.url, loadConfig(z.object(registrySettings), ENVIRONMENT));
    const next = test.retiring(later);
    await eventually(async () => {
      await next.sweep();
      expect(await test.counts()).toEqual({ completed: 1 });
    });
    expect(registry.callsAbout(id).map(({ method }) => method)).toEqual(['POST', 'GET']);
    await next.stop();
    await later.onApplicationShutdown();
  });
});
