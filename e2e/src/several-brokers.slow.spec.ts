import { randomUUID } from 'node:crypto';
import { type RunningKafkaCluster, startKafkaCluster, type TemporaryDir, temporaryDir } from '@carbon/local';
import { createKafka, eventMessage, type KafkaHandle, SelfClockedProducer } from '@carbon/messaging';
import { eventually } from '@carbon/testing';

type Admin = ReturnType<KafkaHandle['client']['admin']>;

const TOPIC = 'offset.requested';
/** kafkajs with our former settings, and with its defaults except for the timeouts. */
const THEIR_RETRIES = { initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 8 };
const PATIENT = { deadlineMs: 60_000, refuseAfterMs: 60_000 };

let folder: TemporaryDir;
let cluster: RunningKafkaCluster;
let admin: Admin;
beforeAll(async () => {
  folder = await temporaryDir();
  cluster = await startKafkaCluster({ dir: folder.dir, brokers: 2, replicationFactor: 1 });
  admin = kafka('').client.admin();
  await admin.connect();
}, 240_000);
afterAll(async () => {
  await admin.disconnect();
  await cluster.stop();
  folder.remove();
}, 180_000);

function kafka(topicPrefix: string): KafkaHandle {
  return createKafka({ brokers: cluster.kafkaBrokers.split(','), clientId: 'several', topicPrefix });
}

/** A topic of two partitions on different brokers: the first on broker 1, the second on broker 2. */
async function topicOnBoth(): Promise<{ prefix: string; topic: string }> {
  const prefix = `test-${randomUUID()}-`;
  const topic = `${prefix}${TOPIC}`;
  const replicaAssignment = [
    { partition: 0, replicas: [1] },
    { partition: 1, replicas: [2] },
  ];
  await admin.createTopics({ topics: [{ topic, replicaAssignment }] });
  return { prefix, topic };
}

/** Makes a broker the leader of a partition. Producers that know the topic do not notice. */
async function move(topic: string, partition: number, to: number): Promise<void> {
  const partitionAssignment = [{ partition, replicas: [to] }];
  await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
  await eventually(async () => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const partitions = new Map(topics[0]?.partitions.map(({ partitionId, leader }) => [partitionId, leader]));
    expect(partitions.get(partition)).toBe(to);
    const { topics: moving } = await admin.listPartitionReassignments({ topics: [{ topic, partitions: [partition] }] });
    expect(moving).toEqual([]);
  });
}

/** Returns the values in each partition, in order. */
async function valuesOn(topic: string): Promise<Map<number, number[]>> {
  const ends = await admin.fetchTopicOffsets(topic);
  const expected = ends.reduce((sum, { offset }) => sum + Number(offset), 0);
  const found = new Map<number, number[]>([0, 1].map((partition) => [partition, []]));
  const consumer = kafka('').client.consumer({ groupId: `test-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  let count = 0;
  await new Promise<void>((resolve, reject) => {
    const running = consumer.run({
      eachMessage: async ({ partition, message }) => {
        found.get(partition)?.push(JSON.parse(String(message.value)).n);
        count += 1;
        if (count === expected) resolve();
      },
    });
    running.catch(reject);
  });
  await consumer.disconnect();
  return found;
}

const message = (n: number, key: string) =>
  eventMessage(
    'offset.requested.v1',
    { n },
    { id: key, subject: key, source: '/gateway', time: '2026-01-01T00:00:00.000Z' },
  );

describe('a partition whose leader moves to a broker that has already answered', () => {
  it('loses messages that kafkajs confirms after its own retries, which is why our producer resends them itself', async () => {
    const { topic } = await topicOnBoth();
    const producer = kafka('').client.producer({ retry: THEIR_RETRIES, metadataMaxAge: 60_000 });
    await producer.connect();
    const send = (n: number) =>
      producer.sendBatch({
        topicMessages: [{ topic, messages: [0, 1].map((partition) => ({ partition, value: JSON.stringify({ n }) })) }],
      });
    await send(1);
    await move(topic, 1, 1);
    await send(2);
    await producer.disconnect();
    expect(await valuesOn(topic)).toEqual(
      new Map([
        [0, [1, 2]],
        [1, [1]],
      ]),
    );
  }, 120_000);

  it('has every message that our producer confirms, at the position it returns', async () => {
    const { prefix, topic } = await topicOnBoth();
    const producer = new SelfClockedProducer(kafka(prefix), PATIENT);
    const publish = (from: number) =>
      Promise.all(Array.from({ length: 50 }, (_, at) => producer.publish(message(from + at, `key-${at}`))));
    await publish(0);
    await move(topic, 1, 1);
    const published = await publish(50);
    await producer.close();
    const found = await valuesOn(topic);
    expect([...found.values()].flat().sort((a, b) => a - b)).toEqual(expect.arrayContaining(range(100)));
    expect(published.map(({ partition, position }) => found.get(partition)?.[Number(position)])).toEqual(
      range(50).map((n) => n + 50),
    );
    // Those of the other broker were confirmed the first time.
    expect(found.get(0)).toEqual([...new Set(found.get(0))]);
  }, 120_000);

  it('keeps the order of its messages while leaders move, with one request at a time', async () => {
    const { prefix, topic } = await topicOnBoth();
    const producer = new SelfClockedProducer(kafka(prefix), { ...PATIENT, requests: 1, batchMessages: 5 });
    const publishing: Promise<unknown>[] = [];
    for (const to of [1, 2, 1, 2]) {
      for (const n of range(100)) publishing.push(producer.publish(message(publishing.length, `key-${n % 2}`)));
      await move(topic, 1, to);
    }
    await Promise.all(publishing);
    await producer.close();
    for (const values of (await valuesOn(topic)).values()) {
      const latest = [...new Set([...values].reverse())].reverse();
      expect(latest).toEqual([...latest].sort((a, b) => a - b));
    }
  }, 120_000);
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
