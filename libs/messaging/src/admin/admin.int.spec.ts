import { TOPICS } from '@carbon/contracts';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { Received } from '../pipeline/received.js';
import type { Letter } from '../pipeline/run.js';
import { eventMessage } from '../publish/outgoing-message.js';
import { SMALL_TOPICS, TestKafka } from '../test-kafka.js';
import { createTopics } from './create-topics.js';
import { forgetGroup, membersOf } from './groups.js';
import { committedPositions, endsOf } from './positions.js';
import { readTopic } from './read-topic.js';
import { topicProgress } from './topic-progress.js';
import { withAdmin } from './with-admin.js';

describe('looking after topics', () => {
  let test: TestKafka;
  let kafka: KafkaHandle;

  beforeEach(() => {
    // Topics of its own for each test: a name is not free again at once.
    test = new TestKafka();
    kafka = test.handle();
  });
  afterEach(() => test.remove());

  it('makes every topic of the contracts and its dead-letter topic, once', async () => {
    const made = await createTopics(kafka);
    expect(made).toEqual(Object.keys(TOPICS).flatMap((topic) => [topic, `${topic}.dead-letter`]));
    expect(await createTopics(kafka)).toEqual([]);
    expect(await endsOf(kafka, 'offset.requested')).toHaveLength(12);
    expect(await endsOf(kafka, 'offset.requested.dead-letter')).toHaveLength(1);
  });

  it('bears being called by several at once', async () => {
    await Promise.all([1, 2, 3].map(() => createTopics(test.handle(), SMALL_TOPICS)));
    expect(await endsOf(kafka, 'asset.published')).toHaveLength(2);
  });

  it('says what is wrong with topics that are there, all of it', async () => {
    await test.create();
    const other = {
      'offset.requested': { ...SMALL_TOPICS['offset.requested'], partitions: 4 },
      'asset.published': {
        ...SMALL_TOPICS['asset.published'],
        settings: { 'cleanup.policy': 'delete', 'message.timestamp.type': 'CreateTime', 'compression.type': 'gzip' },
      },
    };
    const failing = createTopics(kafka, other);
    await expect(failing).rejects.toThrow(/offset.requested has 3 partitions, not 4/);
    await expect(failing).rejects.toThrow(/asset.published has cleanup.policy compact, not delete/);
    await expect(failing).rejects.toThrow(/has message.timestamp.type LogAppendTime, not CreateTime/);
    await expect(failing).rejects.toThrow(/has compression.type uncompressed, not gzip/);
  });

  it('tells how far a group has come, or that it never came', async () => {
    await test.create();
    const groupId = kafka.names.group('g');
    const topic = kafka.names.topic('offset.requested');
    await withAdmin(kafka, (admin) =>
      admin.setOffsets({ groupId, topic, partitions: [{ partition: 1, offset: '7' }] }),
    );
    expect(await committedPositions(kafka, 'g', 'offset.requested')).toEqual([
      { partition: 0, position: undefined },
      { partition: 1, position: 7n },
      { partition: 2, position: undefined },
    ]);
  });

  it('tells how a topic and its groups stand at one moment, and by which name Kafka goes', async () => {
    await test.create();
    const producer = test.producer();
    const facts = { id: 'a', subject: 'a', source: '/assets', time: '2026-01-01T00:00:00.000Z' } as const;
    await producer.publish(eventMessage('asset.published.v1', { n: 1 }, facts));
    await producer.close();
    const topic = kafka.names.topic('asset.published');
    await withAdmin(kafka, (admin) =>
      admin.setOffsets({ groupId: kafka.names.group('g'), topic, partitions: [{ partition: 0, offset: '1' }] }),
    );
    const { cluster, ends, committed } = await topicProgress(kafka, 'asset.published', ['g', 'nobody']);
    expect(cluster).toMatch(/^[\w-]{22}$/);
    expect(ends.reduce((sum, { end }) => sum + end, 0n)).toBe(1n);
    expect(committed.get('g')?.map(({ position }) => position)).toEqual([1n, undefined]);
    expect(committed.get('nobody')?.map(({ position }) => position)).toEqual([undefined, undefined]);
    expect(await topicProgress(test.handle(), 'asset.published', [])).toMatchObject({ cluster });
  });

  it('forgets a group with its positions, and does not mind when there is none', async () => {
    await test.create();
    const groupId = kafka.names.group('g');
    const topic = kafka.names.topic('asset.published');
    await withAdmin(kafka, (admin) =>
      admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: '0' }] }),
    );
    expect(await membersOf(kafka, 'g')).toBe(0);
    await forgetGroup(kafka, 'g');
    await forgetGroup(kafka, 'g');
    const { groups } = await withAdmin(kafka, (admin) => admin.listGroups());
    expect(groups.map((group) => group.groupId)).not.toContain(groupId);
  });

  it('reads a topic from its beginning to its ends, withdrawals too, and passes over what is unfit', async () => {
    await test.create();
    const producer = test.producer();
    const facts = (id: string) => ({ id, subject: id, source: '/assets', time: '2026-01-01T00:00:00.000Z' }) as const;
    const publish = (id: string, data: unknown) => {
      return producer.publish(eventMessage('asset.published.v1', data, facts(id)));
    };
    for (let n = 0; n < 200; n += 1) await publish(`asset-${n % 50}`, { n });
    await publish('asset-7', null);
    await publish('asset-8', { n: 'wrong' });
    await producer.close();

    const library = new Map<string, unknown>();
    const unfit: Letter[] = [];
    const fold = ({ key, value }: Received) => void (value === null ? library.delete(key) : library.set(key, value));
    const count = await readTopic(kafka, 'asset.published', fold, {
      topics: SMALL_TOPICS,
      onUnfit: (letter) => unfit.push(letter),
    });
    expect(count).toBe(201);
    expect(library.size).toBe(49);
    expect(library.get('asset-8')).toEqual({ n: 158 });
    expect(unfit).toEqual([expect.objectContaining({ code: 'invalid_data' })]);
    const { groups } = await withAdmin(kafka, (admin) => admin.listGroups());
    expect(groups.filter(({ groupId }) => groupId.startsWith(`${test.prefix}read-`))).toEqual([]);
  });

  it('reads nothing of an empty topic, at once', async () => {
    await test.create();
    expect(await readTopic(kafka, 'asset.published', () => {}, { topics: SMALL_TOPICS })).toBe(0);
  });

  it('passes on what its reader throws', async () => {
    await test.create();
    const producer = test.producer();
    const facts = { id: 'a', subject: 'a', source: '/assets', time: '2026-01-01T00:00:00.000Z' } as const;
    await producer.publish(eventMessage('asset.published.v1', { n: 1 }, facts));
    await producer.close();
    const failing = readTopic(
      kafka,
      'asset.published',
      () => {
        throw new Error('the disk is full');
      },
      { topics: SMALL_TOPICS },
    );
    await expect(failing).rejects.toThrow('the disk is full');
  });
});
