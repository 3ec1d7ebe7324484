import { type Asset } from '@carbon/contracts';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { RebuildSuperseded, recordSupply, withdrawMissing } from './record-supply.js';

const FIRST = { id: 'a', number: 1 };
const SECOND = { id: 'b', number: 2 };

describe('recording the supply', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  const record = (position: bigint, asset: Asset | null, id = 'pool_a', rebuild = FIRST) => {
    const message = { ...test.message(id, asset), position };
    return recordSupply(test.database, rebuild, { topic: 'asset.published', partition: 0, messages: [message] });
  };
  const begin = ({ number }: typeof FIRST) => test.sql.query('UPDATE supply_reading SET number = $1', [number]);
  const row = async (id = 'pool_a') => (await test.rows('SELECT * FROM supply WHERE asset_id = $1', [id]))[0];

  it('stores weights in grams and prices in millionths of dollars', async () => {
    const address = `0x${'ab'.repeat(20)}`;
    await record(
      4n,
      pool('a', { price: 12.345678, issued: 1.000001, rating: 4.5, ticker: 'A', address, vintages: [2015] }),
    );
    expect(await row()).toEqual({
      asset_id: 'pool_a',
      type: 'POOL',
      active: true,
      price_micros: '12345678',
      rating: 4.5,
      ticker: 'A',
      address,
      vintages: [2015],
      published_issued: '1000001',
      issued: '1000001',
      reserved: '0',
      retired: '0',
      version: '5',
      brought_in: 1,
      exhausted: false,
    });
  });

  it('records the last message of a batch about each asset', async () => {
    await test.recordAssets([
      pool('a', { price: 1 }),
      pool('b'),
      pool('a', { price: 2 }),
      { id: 'pool_b', withdrawn: true },
      pool('a', { price: 3 }),
    ]);
    expect(await row()).toMatchObject({ price_micros: '3000000', version: '5' });
    expect(await row('pool_b')).toBeUndefined();
  });

  it('refuses an older version', async () => {
    await record(9n, pool('a', { price: 2 }));
    await record(3n, pool('a', { price: 1 }));
    expect(await row()).toMatchObject({ price_micros: '2000000', version: '10' });
  });

  it('changes nothing when everything is delivered again', async () => {
    await record(1n, pool('a'));
    await record(2n, null);
    const before = await row();
    await record(1n, pool('a'));
    await record(2n, null);
    expect(await row()).toEqual(before);
  });

  it('keeps the row of a withdrawn asset, and activates it when it is published again', async () => {
    await record(1n, pool('a', { ticker: 'A' }));
    await record(2n, null);
    expect(await row()).toMatchObject({ active: false, ticker: 'A', version: '3' });
    await record(3n, pool('a', { ticker: 'A' }));
    expect(await row()).toMatchObject({ active: true, version: '4' });
  });

  it('never issues less than is already reserved or retired', async () => {
    await test.recordAssets([pool('a', { issued: 10 })]);
    await test.queue(4_000);
    await test.reserveCredits.run();
    await record(50n, pool('a', { issued: 1 }));
    expect(await row()).toMatchObject({ published_issued: '1000000', issued: '4000000', reserved: '4000000' });
    await record(51n, pool('a', { issued: 20 }));
    expect(await row()).toMatchObject({ published_issued: '20000000', issued: '20000000', reserved: '4000000' });
  });

  it('withdraws assets that a later rebuild did not contain, and activates them when it contains them after all', async () => {
    await record(1n, pool('a'));
    await record(2n, pool('b'), 'pool_b');
    await begin(SECOND);
    await record(1n, pool('a'), 'pool_a', SECOND);
    await withdrawMissing(test.database, SECOND);
    expect(await row()).toMatchObject({ active: true, brought_in: 2 });
    expect(await row('pool_b')).toMatchObject({ active: false, brought_in: 1 });
    await record(2n, pool('b'), 'pool_b', SECOND);
    expect(await row('pool_b')).toMatchObject({ active: true, brought_in: 2 });
  });

  it('writes nothing for an earlier rebuild, whose topic may be deleted', async () => {
    await record(90n, pool('a', { price: 1 }));
    await begin(SECOND);
    // Like the start of a rebuild of another topic.
    await test.sql.query('UPDATE supply SET version = 0');
    await expect(record(95n, pool('a', { price: 2 }))).rejects.toThrow(RebuildSuperseded);
    await expect(record(96n, pool('b'), 'pool_b')).rejects.toThrow(RebuildSuperseded);
    expect(await row('pool_b')).toBeUndefined();
    await record(0n, pool('a', { price: 3 }), 'pool_a', SECOND);
    expect(await row()).toMatchObject({ price_micros: '3000000', version: '1', brought_in: 2 });
  });

  it('withdraws nothing from an older copy of the database, which does not know the rebuild', async () => {
    await record(1n, pool('a'));
    await expect(withdrawMissing(test.database, SECOND)).rejects.toThrow(RebuildSuperseded);
    expect(await row()).toMatchObject({ active: true, brought_in: 1 });
  });

  it('writes nothing when another rebuild begins at the same time', async () => {
    const begun = await test.hold('UPDATE supply_reading SET number = 2');
    const refused = expect(record(1n, pool('a'))).rejects.toThrow(RebuildSuperseded);
    await begun();
    await refused;
    expect(await row()).toBeUndefined();
  });

  it('does not deadlock with allocation', async () => {
    const assets = Array.from({ length: 60 }, (_, n) => pool(`p${n}`, { issued: 1, price: 60 - n }));
    await test.recordAssets(assets);
    await test.queue(...Array.from({ length: 2_000 }, () => 20));
    const publish = async () => {
      for (let round = 0; round < 10; round += 1) await test.recordAssets([...assets].reverse());
    };
    await Promise.all([test.completeQueued(), publish()]);
    expect(await test.counts()).toEqual({ completed: 2_000 });
  });
});
