import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { pool } from '../testing/events.js';
import {
  answerJson,
  applyThen,
  type Behaviour,
  confirmOrder,
  type Exchange,
  inSequence,
  refuse,
} from '../testing/registry.js';
import { RegistryBench, TOKEN } from '../testing/registry-bench.js';
import { resetClock, simulateSuspension } from '../testing/suspend.js';

const OFFSETS = 12;
const silence: Behaviour = () => {};
const some = Array.from({ length: OFFSETS }, (_, n) => 100 + n / 1_000);

let bench: RegistryBench;
beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  bench = await RegistryBench.create({ lockMs: 3_000 });
});
afterEach(async () => {
  resetClock();
  await bench.close();
});

describe('an external registry', () => {
  it('is called once for each offset, with all of its lines, under its id', async () => {
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
    const events = await bench.test.rows<{ offset_id: string; fingerprint: string; payload: object }>(
      'SELECT offset_id, fingerprint, payload FROM outbox JOIN offsets ON id = offset_id',
    );
    for (const { offset_id, fingerprint, payload } of events) {
      expect(payload).toMatchObject({
        fingerprint,
        registryReference: bench.registry.ledger.find(({ offset }) => offset === offset_id)?.reference,
      });
    }
    expect(events).toHaveLength(2);
    await bench.expectAudit();
  });

  it('gets a GET before an order is repeated', async () => {
    bench.registry.behaviour = inSequence(applyThen(silence), confirmOrder);
    const ids = await bench.begin(...some);
    await bench.settled({ completed: OFFSETS });
    bench.expectAppliedOnce(ids);
    const methods = ids.map((id) => bench.methodsAbout(id));
    expect(methods).toEqual(ids.map(() => ['POST', 'GET']));
    const attempts = await bench.test.rows('SELECT DISTINCT registry_attempts FROM offsets');
    expect(attempts).toEqual([{ registry_attempts: 2 }]);
  });

  it('that refuses an offset by its id fails it, and the reservations are released once', async () => {
    const ids = await bench.reserve(1_000, 500);
    const [refused = ''] = ids;
    bench.registry.behaviour = (exchange) => (exchange.offset === refused ? refuse(422) : confirmOrder)(exchange);
    bench.worker.start();
    await bench.settled({ completed: 1, failed: 1 });
    bench.expectAppliedOnce(ids.slice(1));
    const [row] = await bench.test.rows<{ fingerprint: string }>('SELECT * FROM offsets WHERE id = $1', [refused]);
    expect(row).toMatchObject({
      ...{ status: 'failed', failure_code: 'registry_refused', cost_micros: null, lease_token: null },
      failure_detail: 'The registry refused to retire these credits (asset_frozen). Nothing was retired.',
      failed_at: expect.any(Date),
    });
    expect(await bench.test.rows('SELECT * FROM reservations')).toEqual([]);
    expect(await bench.test.rows('SELECT reserved, retired FROM supply ORDER BY asset_id')).toEqual([
      { reserved: '0', retired: '0' },
      { reserved: '0', retired: '500000' },
    ]);
    const payload = { code: 'registry_refused', id: refused, fingerprint: row?.fingerprint };
    expect(await bench.test.rows('SELECT event_id, payload FROM outbox WHERE offset_id = $1', [refused])).toMatchObject(
      [{ event_id: `${refused}.offset.failed.v1`, payload }],
    );
    await bench.expectAudit();
    await bench.begin(1_000);
    await bench.settled({ completed: 2, failed: 1 });
  });

  it('that refuses more than the library still issues leaves the supply consistent', async () => {
    bench.registry.behaviour = inSequence(silence, refuse(422));
    await bench.begin(1_000);
    await eventually(() => expect(bench.registry.calls).toHaveLength(1));
    await bench.test.recordAssets([pool('a', { price: 5, issued: 0.4 })]);
    await bench.settled({ failed: 1 });
    await bench.expectAudit();
    expect(await bench.test.rows(`SELECT issued, reserved FROM supply WHERE asset_id = 'pool_a'`)).toEqual([
      { issued: '400000', reserved: '0' },
    ]);
  });

  it('is stopped and started again, and no offset is lost, doubled or failed', async () => {
    const ids = await bench.begin(...some);
    await eventually(() => expect(bench.registry.ledger.length).toBeGreaterThan(2), { every: 1 });
    await bench.registry.stop();
    const more = await bench.begin(...some);
    await eventually(() => expect(bench.client.tally.unknown).toBeGreaterThan(5));
    expect(await bench.test.counts()).not.toHaveProperty('failed');
    await bench.registry.start();
    await bench.settled({ completed: 2 * OFFSETS });
    bench.expectAppliedOnce([...ids, ...more]);
    await bench.expectAudit();
  });

  it('is not called before its Retry-After, within our bounds', async () => {
    bench.registry.behaviour = inSequence(answerJson(429, {}, { 'retry-after': '86400' }), confirmOrder);
    const [id = ''] = await bench.begin(1);
    await bench.settled({ completed: 1 });
    const [first, second] = bench.registry.callsAbout(id) as [Exchange, Exchange];
    expect(second.at - first.at).toBeGreaterThan(950);
    expect(second.at - first.at).toBeLessThan(30_000);
  });

  it('that was called for an offset must answer it: a process without a registry does not complete it', async () => {
    bench.registry.behaviour = silence;
    await bench.begin(1);
    await eventually(() => expect(bench.registry.calls).toHaveLength(1));
    await bench.worker.stop();
    await bench.step.stop();
    const [never = ''] = await bench.reserve(2);
    await bench.test.sql.query(`UPDATE offsets SET lease_until = now() - interval '1 s' WHERE status = 'processing'`);
    await bench.test.retireOffsets.run();
    await bench.test.retireOffsets.idle();
    await bench.test.retireOffsets.run();
    expect(await bench.test.rows('SELECT id FROM offsets WHERE completed_at IS NOT NULL')).toEqual([{ id: never }]);
    expect(await bench.test.counts()).toEqual({ completed: 1, processing: 1 });
  });
});

describe('an answer of the registry that cannot be recorded for a while', () => {
  /** Returns the sessions that wait for locked supply, by the start of their transaction. */
  const WAITING = `SELECT xact_start FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%supply%'`;

  it('is kept and recorded as soon as possible, and the registry is not called again', async () => {
    const [id = ''] = await bench.reserve(500);
    const release = await bench.test.hold('SELECT FROM supply FOR UPDATE');
    bench.worker.start();
    const attempts = new Set<number>();
    await eventually(async () => {
      const waiting = await bench.test.rows<{ xact_start: Date }>(WAITING);
      for (const { xact_start } of waiting) attempts.add(xact_start.getTime());
      expect(attempts.size).toBe(2);
    });
    await release();
    await bench.settled({ completed: 1 });
    expect(bench.registry.callsAbout(id)).toHaveLength(1);
    await bench.expectAudit();
  });
});

describe('offsets that a process claimed before it was suspended', () => {
  /** Enough time for the beginning of an answer to arrive. */
  const ANSWERS_AFTER_MS = 50;

  it('are left to the next process, because an older database may be in place with other credits for them', async () => {
    const [id = ''] = await bench.reserve(500);
    const { database } = bench.test;
    const transaction = database.transaction.bind(database);
    database.transaction = async (work) => {
      const outcome = await transaction(work);
      simulateSuspension();
      return outcome;
    };
    await bench.step.run();
    await bench.step.stop();
    expect(bench.registry.callsAbout(id)).toEqual([]);
    expect(await bench.test.counts()).toEqual({ processing: 1 });
  });

  describe('are not retired by it when it resumes', () => {
    const ask = (attempt: number) => {
      const order = {
        offset: 'one',
        isRecovered: false,
        lines: [{ asset: 'pool_a', grams: 1n, priceMicros: 1n }],
        attempt,
      };
      return bench.client.retire(order);
    };
    const unknown = expect.objectContaining({ outcome: 'unknown' });

    it('after a suspension while it connected', async () => {
      const answer = ask(1);
      simulateSuspension();
      expect(await answer).toEqual(unknown);
      expect(bench.registry.ledger).toEqual([]);
    });

    it.each<[string, Behaviour]>([
      ['before it is answered', () => {}],
      // Sends all but the last character of an answer that the offset is not retired.
      ['in the middle of the answer', ({ response }) => says404(response)],
    ])('after a suspension while it looked them up, %s', async (_, begin) => {
      bench.registry.behaviour = (exchange) => {
        begin(exchange);
        setTimeout(() => {
          simulateSuspension();
          if (exchange.response.headersSent) exchange.response.end('}');
          else confirmOrder(exchange);
        }, ANSWERS_AFTER_MS);
      };
      expect(await ask(2)).toEqual(unknown);
      expect(bench.registry.ledger).toEqual([]);
    });
  });
});

const says404 = (response: Exchange['response']) =>
  void response.writeHead(404, { 'content-type': 'application/json' }).write('{"code":"not_found"');
