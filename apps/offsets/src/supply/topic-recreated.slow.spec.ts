import { eventMessage, SelfClockedProducer, withAdmin } from '@carbon/messaging';
import { eventually, SLOW_PRODUCER } from '@carbon/testing';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { freshKafka } from '../testing/kafka.js';
import { TestService } from '../testing/service.js';
import { recordSupply } from './record-supply.js';
import { ASSETS, chooseRebuild, groupOf } from './supply-rebuild.js';

const PARTITION = 2;
const ends = (end: bigint) => async () => [{ partition: PARTITION, begin: 0n, end }];

const made: TestDatabase[] = [];
afterAll(() => Promise.all(made.map((test) => test.close())));

/** A database and topics with their own stored position. */
async function scene() {
  const [test, kafka] = [await TestDatabase.create(), await freshKafka()];
  made.push(test);
  const store = (position: number) =>
    test.sql.query('INSERT INTO supply_positions VALUES (1, $1, $2)', [PARTITION, position]);
  return { test, kafka, store };
}

// Each waits for its group and for the second check, with its own database and topics, so they run concurrently.
describe('choosing a rebuild of the supply', () => {
  it.concurrent('begins one rebuild when several processes find that the group has expired', async () => {
    const { test, kafka, store } = await scene();
    await store(3);
    const chosen = await Promise.all([1, 2, 3].map(() => chooseRebuild(test.database, kafka, ends(9n))));
    expect(new Set(chosen.map(({ id }) => id)).size).toBe(1);
    expect(chosen[0]?.number).toBe(2);
  });

  it.concurrent('resumes while another process consumes and the topic grows', async () => {
    const { test, kafka, store } = await scene();
    const rebuild = await chooseRebuild(test.database, kafka, ends(0n));
    await test.recordAssets([pool('a')]);
    await store(3);
    let end = 5;
    // After each read of the ends, more is published, and the other process consumes it at once.
    const growing = async () => {
      const now = await ends(BigInt(end))();
      end += 4;
      await test.sql.query('UPDATE supply_positions SET position = $1 WHERE partition = $2', [end, PARTITION]);
      const partitions = [{ partition: PARTITION, offset: String(end) }];
      const position = { groupId: kafka.names.group(groupOf(rebuild)), topic: kafka.names.topic(ASSETS), partitions };
      await withAdmin(kafka, (admin) => admin.setOffsets(position));
      return now;
    };
    expect(await chooseRebuild(test.database, kafka, growing)).toEqual(rebuild);
    expect(await test.rows('SELECT version FROM supply')).toEqual([{ version: '1' }]);
  });

  it.concurrent('accepts versions from 1 on in a re-created topic', async () => {
    const { test, kafka } = await scene();
    await test.recordAssets([pool('a')]);
    await test.sql.query('INSERT INTO supply_positions VALUES (1, 0, 90)');
    await test.sql.query('UPDATE supply SET version = 90');
    const producer = new SelfClockedProducer(kafka, SLOW_PRODUCER);
    await producer.publish(
      eventMessage('asset.published.v1', pool('a'), { id: 'x', source: '/assets', subject: 'pool_a', time: '' }),
    );
    await producer.close();
    // It changes no asset: there may be a million of them, and here another transaction locks one.
    const release = await test.hold('SELECT FROM supply FOR UPDATE');
    const again = await chooseRebuild(test.database, kafka, async () => [{ partition: 0, begin: 0n, end: 1n }]);
    await release();
    expect(again.number).toBe(2);
    expect(await test.rows('SELECT version, active FROM supply')).toEqual([{ version: '90', active: true }]);
    const message = { ...test.message('pool_a', pool('a', { price: 7 })), position: 0n };
    await recordSupply(test.database, again, { topic: ASSETS, partition: 0, messages: [message] });
    expect(await test.rows('SELECT version, price_micros FROM supply')).toEqual([
      { version: '1', price_micros: '7000000' },
    ]);
    // From here on versions count again.
    await test.sql.query('UPDATE supply SET version = 5');
    await recordSupply(test.database, again, { topic: ASSETS, partition: 0, messages: [{ ...message, value: null }] });
    expect(await test.rows('SELECT version, active FROM supply')).toEqual([{ version: '5', active: true }]);
  });
});

/** Enough that each of the six partitions ends beyond its old end. */
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
    await eventually(() => expect(app.get(ReadinessGate).isOpen).toBe(true));
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
  /** Beyond the old end, including the beginning of the new topic. */
  const refill = async () => {
    await service.createAnew('asset.published');
    await service.publishAssets([pool('a', { price: 20 })]);
    await service.withdraw('pool_b');
    await service.publishAssets(Array.from({ length: MANY }, (_, n) => pool(`more_${n}`)));
  };

  it('is noticed at the start, although it ends beyond the old one: its prices and withdrawals apply', async () => {
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
    await eventually(() => expect(service.exits.map(String)).toContainEqual(expect.stringContaining('topicRecreated')));
    await first.close();
    await open();
    expect(await supply()).toEqual(NEW);
  });

  it('is recognized by its topic ID, and a missing topic ID is stored', async () => {
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
