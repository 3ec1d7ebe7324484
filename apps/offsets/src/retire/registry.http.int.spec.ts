import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { pool } from '../test-events.js';
import { type Behaviour, type Exchange, honestly, inTurn, refuses, says, thoughDone } from '../test-registry.js';
import { hurriedWay, RegistryBench, TOKEN } from './test-registry-bench.js';

const OFFSETS = 12;
const silence: Behaviour = () => {};

describe('an external registry', () => {
  let bench: RegistryBench;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    bench = await RegistryBench.create();
  });
  afterEach(() => bench.close());

  const some = Array.from({ length: OFFSETS }, (_, n) => 100 + n / 1_000);

  it('is asked once an offset, for all of its lines, under its id', async () => {
    const [split = '', whole = ''] = await bench.begin(1_234.5, 1);
    await bench.settled({ completed: 2 });
    bench.expectAppliedOnce([split, whole]);
    const [call] = bench.registry.callsAbout(split);
    expect(call).toMatchObject({ method: 'POST', key: split });
    expect(call?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(bench.registry.ledger.find(({ offset }) => offset === split)?.lines).toEqual([
      { asset: 'pool_a', grams: '1000000', priceMicros: '5000000' },
      { asset: 'pool_b', grams: '234500', priceMicros: '20000000' },
    ]);
    expect(bench.registry.calls).toHaveLength(2);
    const references = await bench.test.rows('SELECT DISTINCT offset_id, registry_reference FROM ledger ORDER BY 1');
    expect(references).toEqual(
      [split, whole].sort().map((offset_id) => ({
        offset_id,
        registry_reference: bench.registry.ledger.find(({ offset }) => offset === offset_id)?.reference,
      })),
    );
    const events = await bench.test.rows<{ offset_id: string; payload: object }>(
      'SELECT offset_id, payload FROM outbox',
    );
    const fingerprints = await bench.test.rows<{ id: string; fingerprint: string }>(
      'SELECT id, fingerprint FROM offsets',
    );
    for (const { offset_id, payload } of events) {
      expect(payload).toMatchObject({
        fingerprint: fingerprints.find(({ id }) => id === offset_id)?.fingerprint,
        registryReference: bench.registry.ledger.find(({ offset }) => offset === offset_id)?.reference,
      });
    }
    expect(events).toHaveLength(2);
    await bench.expectAudit();
  });

  it('is asked whether it has retired before it is asked to again', async () => {
    bench.registry.behaves = inTurn(thoughDone(silence), honestly);
    const ids = await bench.begin(...some);
    await bench.settled({ completed: OFFSETS });
    bench.expectAppliedOnce(ids);
    const methods = ids.map((id) => bench.registry.callsAbout(id).map(({ method }) => method));
    expect(methods).toEqual(ids.map(() => ['POST', 'GET']));
    const attempts = await bench.test.rows('SELECT DISTINCT registry_attempts FROM offsets');
    expect(attempts).toEqual([{ registry_attempts: 2 }]);
  });

  it.each([400, 402, 403, 404, 409, 410, 422, 451])(
    'that refuses an offset by name with %i fails it, and gives back what was reserved, once',
    async (code) => {
      bench.registry.behaves = (exchange) =>
        (exchange.offset === refused ? refuses(code, 'asset_frozen') : honestly)(exchange);
      let refused = '';
      const ids = await bench.reserve(1_000, 500);
      [refused = ''] = ids;
      bench.worker.start();
      await bench.settled({ completed: 1, failed: 1 });
      bench.expectAppliedOnce(ids.slice(1));
      const [row] = await bench.test.rows<{ fingerprint: string }>('SELECT * FROM offsets WHERE id = $1', [refused]);
      expect(row).toMatchObject({
        status: 'failed',
        failure_code: 'registry_refused',
        failure_detail: 'The registry refused to retire these credits (asset_frozen). Nothing was retired.',
        cost_micros: null,
        lease_token: null,
        completed_at: null,
        failed_at: expect.any(Date),
      });
      expect(await bench.test.rows('SELECT * FROM reservations')).toEqual([]);
      expect(await bench.test.rows('SELECT reserved, retired FROM supply ORDER BY asset_id')).toEqual([
        { reserved: '0', retired: '0' },
        { reserved: '0', retired: '500000' },
      ]);
      const events = await bench.test.rows('SELECT event_id, payload FROM outbox WHERE offset_id = $1', [refused]);
      expect(events).toMatchObject([
        {
          event_id: `${refused}.offset.failed.v1`,
          payload: { code: 'registry_refused', id: refused, fingerprint: row?.fingerprint },
        },
      ]);
      await bench.expectAudit();
      await bench.begin(1_000);
      await bench.settled({ completed: 2, failed: 1 });
    },
  );

  it('that refuses what is more than the library still issues leaves the supply as it should be', async () => {
    bench.registry.behaves = inTurn(silence, refuses(422));
    await bench.begin(1_000);
    await eventually(() => expect(bench.registry.calls).toHaveLength(1));
    await bench.test.bring([pool('a', { price: 5, issued: 0.4 })]);
    await bench.settled({ failed: 1 });
    await bench.expectAudit();
    expect(await bench.test.rows(`SELECT issued, reserved FROM supply WHERE asset_id = 'pool_a'`)).toEqual([
      { issued: '400000', reserved: '0' },
    ]);
  });

  it('dies and comes back: nothing is lost, doubled or failed', async () => {
    const ids = await bench.begin(...some);
    await eventually(() => expect(bench.registry.ledger.length).toBeGreaterThan(2), { every: 1 });
    await bench.registry.stop();
    const more = await bench.begin(...some);
    await eventually(() => expect(bench.way.tally.unknown).toBeGreaterThan(5));
    expect(await bench.test.counts()).not.toHaveProperty('failed');
    await bench.registry.start();
    await bench.settled({ completed: 2 * OFFSETS });
    bench.expectAppliedOnce([...ids, ...more]);
    await bench.expectAudit();
  });

  it('is left alone for as long as it asks for, within our bounds', async () => {
    bench.registry.behaves = inTurn(says(429, {}, { 'retry-after': '86400' }), honestly);
    const [id = ''] = await bench.begin(1);
    await bench.settled({ completed: 1 });
    const [first, second] = bench.registry.callsAbout(id) as [Exchange, Exchange];
    expect(second.at - first.at).toBeGreaterThan(950);
    expect(second.at - first.at).toBeLessThan(30_000);
  });

  it('that is dead is not asked about every offset, and each is settled soon after it lives', async () => {
    bench.registry.behaves = silence;
    const begin = performance.now();
    const seconds = () => (performance.now() - begin) / 1_000;
    await bench.begin(...Array.from({ length: 60 }, () => 1));
    await eventually(() => expect(bench.way.breaker.state).toBe('open'));
    await eventually(() => expect(seconds()).toBeGreaterThan(5));
    // Four at a time until the fifth failure, then one at a time, each for a second: unhindered it would be four a second.
    expect(bench.registry.calls.length).toBeLessThanOrEqual(8 + seconds());
    bench.registry.behaves = honestly;
    await bench.settled({ completed: 60 });
    await bench.expectAudit();
  });

  it('that knows what an earlier process did is believed by a later one', async () => {
    bench.registry.behaves = thoughDone(silence);
    const [id = ''] = await bench.begin(1);
    await eventually(() => expect(bench.registry.ledger).toHaveLength(1));
    await bench.worker.stop();
    await bench.step.stop();
    bench.registry.behaves = honestly;
    const later = hurriedWay(bench.registry);
    const next = bench.test.retiring(later);
    await eventually(async () => {
      await next.sweep();
      expect(await bench.test.counts()).toEqual({ completed: 1 });
    });
    expect(bench.registry.callsAbout(id).map(({ method }) => method)).toEqual(['POST', 'GET']);
    await next.stop();
    await later.onApplicationShutdown();
  });

  it('is asked again without end, with an alarm after every so many vain attempts', async () => {
    const alarms: unknown[] = [];
    const nothing = () => {};
    const error = (message: string, facts: object) => void alarms.push([message, facts]);
    Logger.overrideLogger({ log: nothing, warn: nothing, error });
    bench.registry.behaves = says(500, {});
    const [id = ''] = await bench.begin(1);
    await eventually(() => expect(alarms.length).toBeGreaterThanOrEqual(2));
    const message = 'The registry still does not say what became of an offset.';
    expect(alarms.slice(0, 2)).toEqual([3, 6].map((attempts) => [message, { id, attempts, reason: 'status 500' }]));
    Logger.overrideLogger(false);
    bench.registry.behaves = honestly;
    await bench.settled({ completed: 1 });
  });

  it('that has been asked about an offset is not passed over by a process without a registry', async () => {
    bench.registry.behaves = silence;
    await bench.begin(1);
    await eventually(() => expect(bench.registry.calls).toHaveLength(1));
    await bench.worker.stop();
    await bench.step.stop();
    const [never = ''] = await bench.reserve(2);
    await bench.test.sql.query(`UPDATE offsets SET lease_until = now() - interval '1 s' WHERE status = 'processing'`);
    await bench.test.retireOffsets.sweep();
    await bench.test.retireOffsets.sweep();
    expect(await bench.test.rows('SELECT id FROM offsets WHERE completed_at IS NOT NULL')).toEqual([{ id: never }]);
    expect(await bench.test.counts()).toEqual({ completed: 1, processing: 1 });
  });
});
