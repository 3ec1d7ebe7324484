import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { DeadLetter, Message } from '../pipeline/message.js';
import { assetEvent, SMALL_TOPICS, TestKafka } from '../testing/kafka.js';
import { countGroupMembers, deleteGroup, withAdmin } from './admin.js';
import {
  committedPositions,
  groupLag,
  type PartitionEnds,
  topicEnds,
  topicEndsSince,
  topicProgress,
} from './positions.js';
import { type OnRawMessage, readMessages, readTopic } from './read-topic.js';

const REQUESTED = 'offset.requested';
const PUBLISHED = 'asset.published';
/** 80 messages of 20 assets, then one withdrawn and one invalid message. */
const MESSAGES = 82;
const HOUR_MS = 3_600_000;

const test = new TestKafka();
let kafka: KafkaHandle;

beforeAll(async () => {
  kafka = test.handle();
  await test.create();
  const raw = kafka.client.producer({ allowAutoTopicCreation: false });
  await raw.connect();
  for (let partition = 0; partition < 3; partition += 1) {
    const messages = Array.from({ length: 10 }, (_, n) => ({ partition, key: `${partition}`, value: `${n}` }));
    await raw.send({ topic: kafka.names.topic(REQUESTED), messages });
  }
  await raw.disconnect();
  const producer = test.producer();
  for (let n = 0; n < 80; n += 1) await producer.publish(assetEvent(`asset-${n % 20}`, { n }));
  await producer.publish(assetEvent('asset-7', null));
  await producer.publish(assetEvent('asset-8', { n: 'wrong' }));
  const ends = (await topicEnds(kafka, PUBLISHED)).map(({ end }) => end);
  // kafkajs takes five seconds for each.
  await Promise.all([
    test.commit('half', PUBLISHED, [1]),
    test.commit('behind', PUBLISHED, [(ends[0] ?? 0n) - 1n, ends[1] ?? 0n]),
    test.commit('through', PUBLISHED, ends),
    test.commit('gone', PUBLISHED, [0]),
  ]);
});
afterAll(() => test.close());

describe('reading raw messages', () => {
  const read = async (change: (ends: PartitionEnds) => PartitionEnds, answer: ReturnType<OnRawMessage> = undefined) => {
    const found: string[] = [];
    await readMessages(kafka, REQUESTED, (await topicEnds(kafka, REQUESTED)).map(change), (partition, { value }) => {
      found.push(`${partition}:${value}`);
      return answer;
    });
    return found;
  };

  it('delivers each once, those of a partition in order', async () => {
    const found = await read((ends) => ends);
    expect(found).toHaveLength(30);
    for (const partition of ['0', '1', '2']) {
      const values = found.filter((one) => one.startsWith(partition)).map((one) => one.slice(2));
      expect(values).toEqual([...Array(10).keys()].map(String));
    }
  });

  it('begins at the given positions, and skips empty ranges', async () => {
    const found = await read((ends) => ({ ...ends, begin: ends.partition === 1 ? 7n : ends.end }));
    expect(found).toEqual(['1:7', '1:8', '1:9']);
    expect(await read((ends) => ({ ...ends, begin: ends.end }))).toEqual([]);
  });

  it('ends when the callback has enough, or with the error it throws', async () => {
    expect(await read((ends) => ends, 'enough')).toHaveLength(1);
    const failing = readMessages(kafka, REQUESTED, await topicEnds(kafka, REQUESTED), () => {
      throw new Error('The disk is full.');
    });
    await expect(failing).rejects.toThrow('The disk is full.');
  });

  it('begins at the first message since a time', async () => {
    const ends = await topicEnds(kafka, REQUESTED);
    expect(await topicEndsSince(kafka, REQUESTED, new Date(0))).toEqual(ends);
    const later = await topicEndsSince(kafka, REQUESTED, new Date(Date.now() + HOUR_MS));
    expect(later).toEqual(ends.map((one) => ({ ...one, begin: one.end })));
  });
});

it('reads a topic from its beginning to its ends, with tombstones and without invalid messages', async () => {
  const library = new Map<string, unknown>();
  const invalidMessage: DeadLetter[] = [];
  const fold = ({ key, value }: Message) => void (value === null ? library.delete(key) : library.set(key, value));
  const options = { topics: SMALL_TOPICS, onInvalid: (letter: DeadLetter) => invalidMessage.push(letter) };
  expect(await readTopic(kafka, PUBLISHED, fold, options)).toBe(MESSAGES - 1);
  expect(library.size).toBe(19);
  expect(library.get('asset-8')).toEqual({ n: 68 });
  expect(invalidMessage).toEqual([expect.objectContaining({ code: 'invalid_data' })]);
  const { groups } = await withAdmin(kafka, (admin) => admin.listGroups());
  expect(groups.filter(({ groupId }) => groupId.startsWith(`${test.prefix}read-`))).toEqual([]);
});

describe('a group', () => {
  it('has its committed positions, read together with the ends of the topic', async () => {
    const half = [
      { partition: 0, position: 1n },
      { partition: 1, position: undefined },
    ];
    expect(await committedPositions(kafka, 'half', PUBLISHED)).toEqual(half);
    const { cluster, ends, committed } = await topicProgress(kafka, PUBLISHED, ['half', 'absent']);
    expect(cluster).toMatch(/^[\w-]{22}$/);
    expect(ends.reduce((sum, { end }) => sum + end, 0n)).toBe(BigInt(MESSAGES));
    expect(committed.get('half')).toEqual(half);
    expect(committed.get('absent')?.map(({ position }) => position)).toEqual([undefined, undefined]);
  });

  it('has a lag in messages and in the age of the oldest, accurate to within a factor of two', async () => {
    const inAnHour = () => Date.now() + HOUR_MS;
    expect(await groupLag(kafka, 'behind', PUBLISHED, inAnHour)).toEqual({ messages: 1, oldestAgeSeconds: 2_048 });
    expect((await groupLag(kafka, 'behind', PUBLISHED, Date.now)).oldestAgeSeconds).toBeLessThan(256);
    expect(await groupLag(kafka, 'through', PUBLISHED, inAnHour)).toEqual({ messages: 0, oldestAgeSeconds: 0 });
    expect(await groupLag(kafka, 'absent', PUBLISHED)).toMatchObject({ messages: MESSAGES });
  });

  it('is deleted with its positions, also when it does not exist', async () => {
    expect(await countGroupMembers(kafka, 'gone')).toBe(0);
    await deleteGroup(kafka, 'gone');
    await deleteGroup(kafka, 'gone');
    const { groups } = await withAdmin(kafka, (admin) => admin.listGroups());
    expect(groups.map((group) => group.groupId)).not.toContain(kafka.names.group('gone'));
  });
});
