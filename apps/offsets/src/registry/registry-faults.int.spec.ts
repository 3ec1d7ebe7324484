import { setInterval } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { expectConsistent } from '../testing/ledger.js';
import { answerBytes, answerJson, applyThen, type Behaviour, confirmOrder, inSequence } from '../testing/registry.js';
import { RegistryBench, TIMEOUT_MS } from '../testing/registry-bench.js';

/** Enough for every misbehaviour to happen in every stage. */
const OFFSETS = 24;

const silence: Behaviour = () => {};
const reset: Behaviour = ({ response }) => void response.destroy();
const status = (code: number, headers: Record<string, string> = {}) => answerJson(code, { code: 'x' }, headers);

/** Sends a byte now and then, for longer than the timeout. */
const slowly: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  void (async () => {
    for await (const _ of setInterval(TIMEOUT_MS / 10)) if (!response.write(' ') || response.destroyed) return;
  })();
};

/** Sends an endless body. */
const endlessly: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

// Outside of the suite, because concurrent tests start before its hooks.
beforeAll(() => Logger.overrideLogger(false));

async function onBench(work: (bench: RegistryBench) => Promise<void>): Promise<void> {
  const bench = await RegistryBench.create();
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

/** In the end every offset is retired exactly once, whether or not the registry had retired it before it misbehaved. */
async function survives(bench: RegistryBench, behaviour: Behaviour): Promise<void> {
  bench.registry.behaviour = inSequence(behaviour, behaviour, confirmOrder);
  const first = await bench.begin(1, 2, 3);
  await bench.settled({ completed: 3 });
  bench.registry.behaviour = inSequence(applyThen(behaviour), behaviour, confirmOrder);
  const second = await bench.begin(1, 2, 3);
  await bench.settled({ completed: 6 });
  bench.expectAppliedOnce([...first, ...second]);
  for (const id of [...first, ...second]) {
    expect(bench.registry.callsAbout(id).every(({ key, method }) => method === 'GET' || key === id)).toBe(true);
  }
  await bench.expectAudit();
}

// Each test mostly waits for timeouts, with its own database and registry, so several run at once.
describe('an external registry', () => {
  it.concurrent.each<[string, Behaviour]>([
    ['never answers', silence],
    ['closes the connection', reset],
    ['answers byte by byte', slowly],
    ['answers without end', endlessly],
    ['answers 503 with Retry-After', status(503, { 'retry-after': '0' })],
    ['answers with a page', answerBytes(200, 'text/html', '<h1>Welcome</h1>')],
    ['answers compressed', answerBytes(200, 'application/json', gzipSync('{}'), { 'content-encoding': 'gzip' })],
    ['redirects', status(307, { location: '/v1/elsewhere' })],
    ['answers 404 like an unrelated server', answerBytes(404, 'text/plain', 'no such page')],
    ['refuses another offset', answerJson(422, { offset: 'off_00000000000000000000000001', code: 'asset_frozen' })],
  ])('that %s is called again until it gives a definite answer', (_, behaviour) =>
    onBench((bench) => survives(bench, behaviour)),
  );

  it('with several of these faults in turn retires each offset exactly once', () =>
    onBench(async (bench) => {
      const faults = [
        silence,
        reset,
        slowly,
        endlessly,
        status(500),
        status(307, { location: '/' }),
        confirmOrder,
        confirmOrder,
      ];
      let n = 0;
      const next = () => faults[n++ % faults.length] ?? confirmOrder;
      bench.registry.behaviour = (exchange) => {
        const misbehave = next();
        if (n % 3 === 0) applyThen(misbehave)(exchange);
        else misbehave(exchange);
      };
      const ids = await bench.begin(...Array.from({ length: OFFSETS }, (_, n) => 100 + n / 1_000));
      await bench.settled({ completed: OFFSETS });
      bench.expectAppliedOnce(ids);
      await bench.expectAudit();
    }));
});

const KG = 1_234.5;
/** What the registry retired before the restore: other assets at other prices, one of them unknown to the database. */
const LINES = [
  { asset: 'pool_b', grams: '234500', priceMicros: '19000000' },
  { asset: 'proj_unknown', grams: '1000000', priceMicros: '3000001' },
];

describe('an external registry after a recovery of the database', () => {
  let bench: RegistryBench;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    bench = await RegistryBench.create();
  });
  afterEach(() => bench.close());

  /** In whole milliseconds, like an offset's time, so that the next offset is strictly later. */
  const recover = async () => {
    await bench.test.sql.query(`UPDATE database_state SET recovered_at = date_trunc('milliseconds', now())`);
    await bench.test.sql.query('SELECT pg_sleep(0.002)');
  };
  /** An offset that is reserved again, and that the registry has already retired as `lines`. */
  const forgotten = async (lines = LINES) => {
    const [id = ''] = await bench.reserve(KG);
    bench.registry.ledger.push({ offset: id, lines, reference: 'R-before' });
    return id;
  };

  it('is queried for existing retirements, and their lines and prices are adopted', async () => {
    const id = await forgotten();
    await recover();
    bench.worker.start();
    await bench.settled({ completed: 1 });
    expect(bench.methodsAbout(id)).toEqual(['GET']);
    expect(
      await bench.test.rows('SELECT asset_id, grams, price_micros, registry_reference FROM ledger ORDER BY asset_id'),
    ).toEqual(
      LINES.map(({ asset, grams, priceMicros }) => ({
        ...{ asset_id: asset, grams, price_micros: priceMicros, registry_reference: 'R-before' },
      })),
    );
    expect(await bench.test.rows('SELECT cost_micros FROM offsets')).toEqual([{ cost_micros: '7455501' }]);
    expect(
      await bench.test.rows('SELECT asset_id, active, issued, reserved, retired FROM supply ORDER BY asset_id'),
    ).toEqual([
      { asset_id: 'pool_a', active: true, issued: '1000000', reserved: '0', retired: '0' },
      { asset_id: 'pool_b', active: true, issued: '1000000000', reserved: '0', retired: '234500' },
      { asset_id: 'proj_unknown', active: false, issued: '1000000', reserved: '0', retired: '1000000' },
    ]);
    const events = await bench.test.rows('SELECT payload FROM outbox');
    expect(events).toMatchObject([
      { payload: { costMicros: '7455501', registryReference: 'R-before', retirements: LINES } },
    ]);
    await bench.expectAudit();
  });

  it('may have retired more than is issued now, which raises the issued supply', async () => {
    await forgotten([{ asset: 'pool_a', grams: '1234500', priceMicros: '5000000' }]);
    await recover();
    bench.worker.start();
    await bench.settled({ completed: 1 });
    expect(await bench.test.rows(`SELECT issued, retired FROM supply WHERE asset_id = 'pool_a'`)).toEqual([
      { issued: '1234500', retired: '1234500' },
    ]);
    await expectConsistent(bench.test.url);
  });

  it('gets an order for what it has not retired', async () => {
    await recover();
    const [before = ''] = await bench.reserve(KG);
    await recover();
    const [after = ''] = await bench.reserve(1);
    bench.worker.start();
    await bench.settled({ completed: 2 });
    expect(bench.methodsAbout(before)).toEqual(['GET', 'POST']);
    expect(bench.methodsAbout(after)).toEqual(['POST']);
    bench.expectAppliedOnce([before, after]);
    await bench.expectAudit();
  });

  it.each([
    ['of an offset that was created since', true, LINES],
    ['of another weight', false, [{ asset: 'pool_b', grams: '1', priceMicros: '1' }]],
    ['of the same asset twice', false, [1, 2].map(() => ({ ...LINES[0], grams: '617250' }) as (typeof LINES)[0])],
    ['of an invalid asset id', false, [{ asset: 'x', grams: '1234500', priceMicros: '1' }]],
    ['of zero grams', false, [...LINES, { asset: 'pool_c', grams: '0', priceMicros: '1' }]],
    [
      'at a price too large for the ledger',
      false,
      [{ asset: 'pool_b', grams: '1234500', priceMicros: '9999999999999999999' }],
    ],
  ])('is not believed when it reports a retirement %s', async (_, isNew, lines) => {
    if (isNew) await recover();
    const id = await forgotten(lines);
    if (!isNew) await recover();
    bench.worker.start();
    await eventually(() => expect(bench.methodsAbout(id).length).toBeGreaterThan(2), { within: 60_000 });
    expect(bench.methodsAbout(id)[0]).toBe(isNew ? 'POST' : 'GET');
    expect(await bench.test.counts()).toEqual({ processing: 1 });
    expect(await bench.test.rows('SELECT FROM ledger')).toEqual([]);
    await bench.expectAudit();
  });
});
