import { TOPICS } from '@carbon/contracts';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { Received } from '../pipeline/received.js';
import type { Letter } from '../pipeline/run.js';
import { eventMessage } from '../publish/outgoing-message.js';
import { SMALL_TOPICS, TestKafka } from '../test-kafka.js';
import { createTopics, ensureTopics } from './create-topics.js';
import { forgetGroup, membersOf } from './groups.js';
import { committedPositions, endsOf } from './positions.js';
import { readTopic } from './read-topic.js';
import { topicProgress } from './topic-progress.js';
import { topicStates } from './topic-state.js';
import { withAdmin } from './with-admin.js';

const DAY_MS = 86_400_000;

describe('looking after topics', () => {
  let test: TestKafka;
  let kafka: KafkaHandle;

  beforeEach(() => {
    // Topics of its own for each test: a name is not free again at once.
    test = new TestKafka();
    kafka = test.handle();
  });
  afterEach(() => test.remove());

  const settingOf = async (topic: string, setting: string) => {
    const name = kafka.names.topic(topic);
    return (await withAdmin(kafka, (admin) => topicStates(admin, [name]))).get(name)?.settings.get(setting);
  };

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
      'asset.published': {
        ...SMALL_TOPICS['asset.published'],
        partitions: 4,
        settings: { 'cleanup.policy': 'delete', 'message.timestamp.type': 'CreateTime' },
      },
    };
    const failing = ensureTopics(kafka, { replication: 2, minInSync: 2 }, other);
    await expect(failing).rejects.toThrow(/asset.published has 2 partitions, not 4, and their number never changes/);
    await expect(failing).rejects.toThrow(/asset.published has cleanup.policy compact, not delete/);
    await expect(failing).rejects.toThrow(/has message.timestamp.type LogAppendTime, not CreateTime/);
    await expect(failing).rejects.toThrow(/asset.published has replication 1, not 2/);
    await expect(failing).rejects.toThrow(/min.insync.replicas is 2 of 1 replicas, at most 1 will do/);
    expect(await endsOf(kafka, 'asset.published')).toHaveLength(2);
  });

  it('makes nothing with more replicas in sync than can be when a broker is away', async () => {
    await expect(ensureTopics(kafka, { minInSync: 2 })).rejects.toThrow(/is 2 of 1 replicas, at most 1 will do/);
    expect(await withAdmin(kafka, (admin) => admin.listTopics())).not.toContain(kafka.names.topic('asset.published'));
  });

  it('says why Kafka refuses to make topics', async () => {
    const failing = ensureTopics(kafka, { replication: 3 }, { 'offset.requested': SMALL_TOPICS['offset.requested'] });
    const topics = ['offset.requested', 'offset.requested.dead-letter'].map((topic) => kafka.names.topic(topic));
    await expect(failing).rejects.toThrow(
      `Kafka refuses to make topics: Replication-factor is invalid (${topics.join(', ')})`,
    );
  });

  it('says how often everything is kept, and what it has changed', async () => {
    const REPLICATION = ['replication 1, min.insync.replicas 1'];
    const first = await ensureTopics(kafka, { partitions: 2, requestedDays: 3, outcomeDays: 11 });
    expect(first).toMatchObject({ changes: [], notes: [], replication: REPLICATION });
    expect(await ensureTopics(kafka, { partitions: 5, requestedDays: 4, outcomeDays: 13 })).toEqual({
      made: [],
      changes: [
        'offset.requested has 5 partitions now, it had 2',
        `offset.requested has retention.ms ${4 * DAY_MS} now, it had ${3 * DAY_MS}`,
        ...['offset.completed', 'offset.failed'].flatMap((topic) => [
          `${topic} has 5 partitions now, it had 2`,
          `${topic} has retention.ms ${13 * DAY_MS} now, it had ${11 * DAY_MS}`,
        ]),
      ],
      notes: [],
      replication: REPLICATION,
    });
    expect(await endsOf(kafka, 'offset.requested')).toHaveLength(5);
    // What was set for a topic before, and is not part of a change, stays.
    expect(await settingOf('offset.requested', 'message.timestamp.type')).toBe('LogAppendTime');
    expect(await settingOf('offset.requested', 'compression.type')).toBe('uncompressed');
  });

  it('takes nothing away that an operator has chosen, and says so', async () => {
    await ensureTopics(kafka, { partitions: 5, requestedDays: 4, outcomeDays: 13 });
    const { changes, notes } = await ensureTopics(kafka, { partitions: 2, requestedDays: 3, outcomeDays: 12 });
    expect(changes).toEqual([]);
    expect(notes).toContain('offset.requested has 5 partitions, more than 2; Kafka takes none away');
    expect(notes).toContain(
      'offset.failed is kept for 13 days, longer than 12 days; lower it by hand if it should not be',
    );
    expect(await endsOf(kafka, 'offset.requested')).toHaveLength(5);
  });

  it('insists that outcomes are kept longer than requests', async () => {
    const failing = ensureTopics(kafka, { requestedDays: 14, outcomeDays: 21 });
    await expect(failing).rejects.toThrow(/offset.completed is kept for 21 days, it must be at least 22 days/);
    await expect(failing).rejects.toThrow(/offset.failed is kept for 21 days/);
    expect(await withAdmin(kafka, (admin) => admin.listTopics())).not.toContain(kafka.names.topic('offset.requested'));
    await ensureTopics(kafka, { requestedDays: 14, outcomeDays: 22 });
    await expect(ensureTopics(kafka, { requestedDays: 15, outcomeDays: 22 })).rejects.toThrow(/at least 23 days/);
    // Raised, it would be refused from then on: nothing lowers it again.
    expect(await settingOf('offset.requested', 'retention.ms')).toBe(String(14 * DAY_MS));
    await expect(ensureTopics(kafka, { outcomeDays: 22 })).resolves.toMatchObject({ made: [], changes: [] });
  });

  it('makes topics without a compression on a cluster that does not let it be set, and says so', async () => {
    const topic = SMALL_TOPICS['offset.requested'];
    // What a broker refuses to everybody stands for what a managed one refuses to its customers.
    const refused = { ...topic, settings: { ...topic.settings, 'compression.type': 'not-for-customers' } };
    const { made, notes } = await ensureTopics(kafka, {}, { 'offset.requested': refused });
    expect(made).toEqual(['offset.requested', 'offset.requested.dead-letter']);
    expect(notes[0]).toMatch(
      /^the cluster does not let compression.type be set \(.+\); the topics were made without it$/,
    );
    expect(await settingOf('offset.requested', 'message.timestamp.type')).toBe('LogAppendTime');
    expect(await ensureTopics(kafka, {}, { 'offset.requested': refused })).toMatchObject({ made: [], changes: [] });
  });

  it('leaves a compression that somebody has set, for readers cope with all, and says so', async () => {
    const topic = SMALL_TOPICS['offset.requested'];
    const producers = {
      'offset.requested': { ...topic, settings: { ...topic.settings, 'compression.type': 'producer' } },
    };
    await createTopics(kafka, producers);
    const { notes } = await ensureTopics(kafka, {}, { 'offset.requested': topic });
    expect(notes).toEqual(['offset.requested has compression.type producer, not uncompressed; readers cope with it']);
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
