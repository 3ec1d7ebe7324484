import { eventually } from '@carbon/testing';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { pool, request } from '../testing/events.js';
import { TestService } from '../testing/service.js';

let service: TestService;
beforeEach(async () => {
  service = await TestService.create();
});
afterEach(() => service.close());

describe('following the supply', () => {
  const open = async () => {
    const app = await service.start();
    await eventually(async () => {
      expect(app.get(ReadinessGate).isOpen).toBe(true);
      expect((await app.inject('/health/ready')).statusCode).toBe(200);
    });
    return app;
  };
  const assets = () => service.rows('SELECT asset_id, active FROM supply ORDER BY asset_id');
  const rebuilds = async () => (await service.rows<{ number: number }>('SELECT number FROM supply_reading'))[0]?.number;

  it('allocates nothing before the whole library is read, then the cheapest of it', async () => {
    const library = Array.from({ length: 500 }, (_, n) => pool(`p${n}`, { price: 1_000 - n, issued: 1 }));
    const one = request({ kgCO2e: 1 });
    await service.publishAssets(library);
    await service.publishRequests([one]);
    const app = await open();
    await service.settled(app, one.id);
    expect(await service.rows('SELECT asset_id FROM ledger')).toEqual([{ asset_id: 'pool_p499' }]);
  });

  it('is ready at once with an empty library, and fails offsets that cannot be served', async () => {
    const app = await open();
    const one = request({ kgCO2e: 1 });
    await service.publishRequests([one]);
    expect(await service.settled(app, one.id)).toMatchObject({ failure: { code: 'insufficient_supply' } });
  });

  it('does not wait for invalid messages, also when they are the last ones', async () => {
    await service.publishAssets([pool('a')]);
    for (let n = 0; n < 30; n += 1) await service.publish('asset.published.v1', `pool_broken${n}`, { id: 'nonsense' });
    const first = await open();
    const second = await open();
    expect(await assets()).toEqual([{ asset_id: 'pool_a', active: true }]);
    await first.close();
    await open();
    await service.publishAssets([pool('b')]);
    await eventually(async () => expect(await assets()).toHaveLength(2));
    expect([await rebuilds(), service.exits]).toEqual([1, []]);
    await second.close();
  });

  it('reads the topic from its beginning for a restored database, and withdraws what is not on it', async () => {
    await service.publishAssets([pool('a'), pool('b'), pool('c')]);
    await (await open()).close();
    // The state before the first message, plus an asset whose withdrawal is no longer on the topic.
    await service.sql.query(`UPDATE supply SET asset_id = 'pool_old' WHERE asset_id = 'pool_a'`);
    await service.sql.query(`DELETE FROM supply WHERE asset_id <> 'pool_old'`);
    await service.sql.query('DELETE FROM supply_positions');
    await open();
    expect(await assets()).toEqual([
      { asset_id: 'pool_a', active: true },
      { asset_id: 'pool_b', active: true },
      { asset_id: 'pool_c', active: true },
      { asset_id: 'pool_old', active: false },
    ]);
    expect(await rebuilds()).toBe(2);
  });

  it.each([
    ['empty', []],
    ['half published', [pool('little', { issued: 0.000001 })]],
  ])('keeps the supply and allocates nothing from a re-created topic that is %s', async (_, first) => {
    await service.publishAssets([pool('a')]);
    await (await open()).close();
    await service.createAnew('asset.published');
    await service.publishAssets(first);
    const one = request({ kgCO2e: 1 });
    await service.publishRequests([one]);
    const app = await service.start();
    await eventually(async () => expect(await rebuilds()).toBe(2));
    await eventually(async () => expect(await assets()).toHaveLength(1 + first.length));
    await service.reaches({ queued: 1 });
    expect(app.get(ReadinessGate).isOpen).toBe(false);
    await service.publishAssets([pool('b')]);
    expect(await service.settled(app, one.id)).toMatchObject({ status: 'completed' });
    expect((await assets())[0]).toEqual({ asset_id: 'pool_a', active: false });
  });

  it('resumes after a restart', async () => {
    await service.publishAssets([pool('a')]);
    await (await open()).close();
    await service.publishAssets([pool('b')]);
    await service.withdraw('pool_a');
    await open();
    await eventually(async () => {
      expect(await assets()).toEqual([
        { asset_id: 'pool_a', active: false },
        { asset_id: 'pool_b', active: true },
      ]);
    });
    expect(await rebuilds()).toBe(1);
  });
});
