import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { RegistryBench } from './test-registry-bench.js';

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

  /** To the millisecond, as an offset's time is. What is created next is of a later one. */
  const recover = async () => {
    await bench.test.sql.query(`UPDATE database_state SET recovered_at = date_trunc('milliseconds', now())`);
    await bench.test.sql.query('SELECT pg_sleep(0.002)');
  };
  const methods = (id = '') => bench.registry.callsAbout(id).map(({ method }) => method);
  /** An offset that is reserved anew, and that the registry has retired as `lines` already. */
  const forgotten = async (lines = LINES) => {
    const [id = ''] = await bench.reserve(KG);
    bench.registry.ledger.push({ offset: id, lines, reference: 'R-before' });
    return id;
  };

  it('is asked what it has retired, and that is adopted with its lines and prices', async () => {
    const id = await forgotten();
    await recover();
    bench.worker.start();
    await bench.settled({ completed: 1 });
    expect(methods(id)).toEqual(['GET']);
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

  it('has more retired than is issued now, which raises the issued supply', async () => {
    await forgotten([{ asset: 'pool_a', grams: '1234500', priceMicros: '5000000' }]);
    await recover();
    bench.worker.start();
    await bench.settled({ completed: 1 });
    expect(await bench.test.rows(`SELECT issued, retired FROM supply WHERE asset_id = 'pool_a'`)).toEqual([
      { issued: '1234500', retired: '1234500' },
    ]);
    const { faults } = await bench.audit();
    expect(faults).toEqual([]);
  });

  it('is asked to retire what it has not retired', async () => {
    await recover();
    const [before = ''] = await bench.reserve(KG);
    await recover();
    const [after = ''] = await bench.reserve(1);
    bench.worker.start();
    await bench.settled({ completed: 2 });
    expect(methods(before)).toEqual(['GET', 'POST']);
    expect(methods(after)).toEqual(['POST']);
    bench.expectAppliedOnce([before, after]);
    await bench.expectAudit();
  });

  it.each([
    ['of an offset that was created since', true, LINES],
    ['of another weight', false, [{ asset: 'pool_b', grams: '1', priceMicros: '1' }]],
    ['of the same asset twice', false, [1, 2].map(() => ({ ...LINES[0], grams: '617250' }) as (typeof LINES)[0])],
    ['of no asset', false, [{ asset: 'x', grams: '1234500', priceMicros: '1' }]],
    ['for nothing', false, [...LINES, { asset: 'pool_c', grams: '0', priceMicros: '1' }]],
    [
      'at a price beyond the ledger',
      false,
      [{ asset: 'pool_b', grams: '1234500', priceMicros: '9999999999999999999' }],
    ],
  ])('is not believed with a retirement %s', async (_, isNew, lines) => {
    if (isNew) await recover();
    const id = await forgotten(lines);
    if (!isNew) await recover();
    bench.worker.start();
    await eventually(() => expect(methods(id).length).toBeGreaterThan(2), { within: 60_000 });
    expect(methods(id)[0]).toBe(isNew ? 'POST' : 'GET');
    expect(await bench.test.counts()).toEqual({ processing: 1 });
    expect(await bench.test.rows('SELECT FROM ledger')).toEqual([]);
    await bench.expectAudit();
  });
});
