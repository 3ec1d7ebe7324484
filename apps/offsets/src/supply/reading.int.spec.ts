import { createKafka, createTopics, eventMessage, type KafkaHandle, SelfClockedProducer } from '@carbon/messaging';
import { freshPrefix, PATIENT_PRODUCER, testEngines } from '@carbon/testing';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { ASSETS, chooseReading, groupOf, type Reading } from './reading.js';
import { recordSupply } from './record-supply.js';

const PARTITION = 2;
const ends = (end: bigint) => async () => [{ partition: PARTITION, begin: 0n, end }];

const made: TestDatabase[] = [];
afterAll(() => Promise.all(made.map((test) => test.close())));

/** A database, topics, and a group whose position can be set. */
async function scene() {
  const test = await TestDatabase.create();
  made.push(test);
  const brokers = testEngines().kafkaBrokers.split(',');
  const kafka = createKafka({ brokers, clientId: 'test', topicPrefix: freshPrefix() });
  await createTopics(kafka);
  return {
    test,
    kafka,
    first: (): Promise<Reading> => chooseReading(test.database, kafka, ends(0n)),
    store: (position: number) =>
      test.sql.query('INSERT INTO supply_positions VALUES (1, $1, $2)', [PARTITION, position]),
    commit: (reading: Reading, position: number) => commit(kafka, reading, position),
  };
}

async function commit(kafka: KafkaHandle, reading: Reading, position: number): Promise<void> {
  const admin = kafka.client.admin();
  await admin.connect();
  const partitions = [{ partition: PARTITION, offset: String(position) }];
  await admin.setOffsets({
    groupId: kafka.names.group(groupOf(reading)),
    topic: kafka.names.topic(ASSETS),
    partitions,
  });
  await admin.disconnect();
}

// Each waits for its group and for the second look, on a database and topics of its own: they wait at the same time.
describe('choosing a reading of the asset topic', () => {
  it.concurrent('begins with the one the database was made with', async () => {
    const { first } = await scene();
    expect(await first()).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), number: 1 });
  });

  it.concurrent('continues it while tables and group agree, or the group lags behind', async () => {
    const { test, kafka, first, store, commit } = await scene();
    const reading = await first();
    await store(7);
    await commit(reading, 5);
    expect(await chooseReading(test.database, kafka, ends(9n))).toEqual(reading);
  });

  it.concurrent('begins again when the database was put back', async () => {
    const { test, kafka, first, store, commit } = await scene();
    const reading = await first();
    await store(3);
    await commit(reading, 5);
    const again = await chooseReading(test.database, kafka, ends(9n));
    expect(again.number).toBe(2);
    expect(again.id).not.toBe(reading.id);
    expect(await chooseReading(test.database, kafka, ends(9n))).toEqual(again);
  });

  it.concurrent('begins again once when several processes find that the group was forgotten', async () => {
    const { test, kafka, store } = await scene();
    await store(3);
    const chosen = await Promise.all([1, 2, 3].map(() => chooseReading(test.database, kafka, ends(9n))));
    expect(new Set(chosen.map(({ id }) => id)).size).toBe(1);
    expect(chosen[0]?.number).toBe(2);
  });

  it.concurrent('is not led astray by another process that goes on while the topic grows', async () => {
    const { test, kafka, first, store, commit } = await scene();
    const reading = await first();
    await test.bring([pool('a')]);
    await store(3);
    let end = 5;
    // Each time the ends were read, more is published, and the other process takes it at once.
    const growing = async () => {
      const now = await ends(BigInt(end))();
      end += 4;
      await test.sql.query('UPDATE supply_positions SET position = $1 WHERE partition = $2', [end, PARTITION]);
      await commit(reading, end);
      return now;
    };
    expect(await chooseReading(test.database, kafka, growing)).toEqual(reading);
    expect(await test.rows('SELECT version FROM supply')).toEqual([{ version: '1' }]);
  });

  it.concurrent('lets versions begin anew when the topic did', async () => {
    const { test, kafka } = await scene();
    await test.bring([pool('a')]);
    await test.sql.query('INSERT INTO supply_positions VALUES (1, 0, 90)');
    await test.sql.query('UPDATE supply SET version = 90');
    const producer = new SelfClockedProducer(kafka, PATIENT_PRODUCER);
    await producer.publish(
      eventMessage('asset.published.v1', pool('a'), { id: 'x', source: '/assets', subject: 'pool_a', time: '' }),
    );
    await producer.close();
    // It changes no asset: there may be a million of them, and here somebody holds one.
    const holder = await test.sql.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM supply FOR UPDATE');
    const again = await chooseReading(test.database, kafka, async () => [{ partition: 0, begin: 0n, end: 1n }]);
    await holder.query('COMMIT');
    holder.release();
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
