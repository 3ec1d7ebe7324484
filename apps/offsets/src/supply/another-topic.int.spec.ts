import { eventually } from '@carbon/testing';
import { SupplyGate } from '../pace/gate.js';
import { pool } from '../test-events.js';
import { TestService } from '../test-service.js';

/** So many that each of the six partitions ends beyond where it did. */
const MANY = 150;

describe('an asset topic that was deleted and created again', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await TestService.create();
    for (let price = 1; price <= 8; price += 1)
      await service.publishAssets([pool('a', { price }), pool('b', { price })]);
  });
  afterEach(() => service.close());

  const open = async () => {
    const app = await service.start();
    await eventually(() => expect(app.get(SupplyGate).isOpen).toBe(true));
    return app;
  };
  const supply = () =>
    service.rows(
      `SELECT asset_id, active, price_micros FROM supply WHERE asset_id IN ('pool_a', 'pool_b') ORDER BY asset_id`,
    );
  const OLD = [
    { asset_id: 'pool_a', active: true, price_micros: '8000000' },
    { asset_id: 'pool_b', active: true, price_micros: '8000000' },
  ];
  const NEW = [
    { asset_id: 'pool_a', active: true, price_micros: '20000000' },
    { asset_id: 'pool_b', active: false, price_micros: '8000000' },
  ];
  /** Beyond the old end, with what is at the beginning of the new one. */
  const refill = async () => {
    await service.createAnew('asset.published');
    await service.publishAssets([pool('a', { price: 20 })]);
    await service.withdraw('pool_b');
    await service.publishAssets(Array.from({ length: MANY }, (_, n) => pool(`more_${n}`)));
  };

  it('is noticed at the start, though it ends beyond the old one: its prices and withdrawals hold', async () => {
    await (await open()).close();
    expect(await supply()).toEqual(OLD);
    await refill();
    await open();
    expect(await supply()).toEqual(NEW);
    expect(await service.rows('SELECT number FROM supply_reading')).toEqual([{ number: 2 }]);
    expect(service.exits).toEqual([]);
  });

  it('is noticed while the service runs: the process ends, and its successor reads it', async () => {
    const first = await open();
    expect(await supply()).toEqual(OLD);
    await refill();
    await eventually(() => expect(service.exits.map(String)).toContainEqual(expect.stringContaining('another topic')));
    await first.close();
    await open();
    expect(await supply()).toEqual(NEW);
  });

  it('is told by its id alone, and an id that was never stored is taken from the topic that is there', async () => {
    await (await open()).close();
    const identity = async () => (await service.rows('SELECT cluster_id, topic_id FROM supply_reading'))[0];
    const before = await identity();
    await service.sql.query('UPDATE supply_reading SET cluster_id = NULL, topic_id = NULL');
    await (await open()).close();
    expect(await identity()).toEqual(before);
    expect(await service.rows('SELECT number FROM supply_reading')).toEqual([{ number: 1 }]);
    await service.sql.query('UPDATE supply_reading SET topic_id = gen_random_uuid()');
    await open();
    expect(await identity()).toEqual(before);
    expect(await service.rows('SELECT number FROM supply_reading')).toEqual([{ number: 2 }]);
  });
});
