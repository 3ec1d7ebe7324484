import { TOPICS } from '@carbon/contracts';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { SMALL_TOPICS, TestKafka, until } from '../testing/kafka.js';
import { withAdmin } from './admin.js';
import { createTopics, ensureTopics } from './create-topics.js';
import { topicEnds } from './positions.js';
import { topicIdentities, topicIdentity } from './topic-id.js';
import { topicStates } from './topic-state.js';

const DAY_MS = 86_400_000;
const REQUESTED = SMALL_TOPICS['offset.requested'];

let test: TestKafka;
let kafka: KafkaHandle;

beforeEach(() => {
  // Separate topics for each test, because a name is not free again immediately after a deletion.
  test = new TestKafka();
  kafka = test.handle();
});
afterEach(() => test.close());

const partitionsOf = async (topic: string) => (await topicEnds(kafka, topic)).length;
const settingOf = async (topic: string, setting: string) => {
  const name = kafka.names.topic(topic);
  return (await withAdmin(kafka, (admin) => topicStates(admin, [name]))).get(name)?.settings.get(setting);
};
const withCompression = (type: string) => ({
  'offset.requested': { ...REQUESTED, settings: { ...REQUESTED.settings, 'compression.type': type } },
});

describe('topics', () => {
  it('are created once, each with a dead-letter topic', async () => {
    const created = await createTopics(kafka);
    expect(created).toEqual(Object.keys(TOPICS).flatMap((topic) => [topic, `${topic}.dead-letter`]));
    expect(await createTopics(kafka)).toEqual([]);
    expect(await partitionsOf('offset.requested')).toBe(12);
    expect(await partitionsOf('offset.requested.dead-letter')).toBe(1);
  });

  it('may be created by several processes at once', async () => {
    await Promise.all([1, 2, 3].map(() => createTopics(test.handle(), SMALL_TOPICS)));
    expect(await partitionsOf('asset.published')).toBe(2);
  });

  it('are rejected with a list of all mismatches if they exist with other settings', async () => {
    await test.create();
    const settings = { 'cleanup.policy': 'delete', 'message.timestamp.type': 'CreateTime' };
    const other = { 'asset.published': { ...SMALL_TOPICS['asset.published'], partitions: 4, settings } };
    const error: unknown = await ensureTopics(kafka, { replication: 2, minInSync: 2 }, other).catch((thrown) => thrown);
    for (const reason of [
      'asset.published has 2 partitions, not 4, and their number never changes',
      'asset.published has cleanup.policy compact, not delete',
      'has message.timestamp.type LogAppendTime, not CreateTime',
      'asset.published has replication 1, not 2',
      'min.insync.replicas is 2 of 1 replicas, at most 1 is allowed',
    ])
      expect(String(error)).toContain(reason);
    expect(await partitionsOf('asset.published')).toBe(2);
  });

  it.each([
    [
      'more in-sync replicas than remain when one broker is down',
      { minInSync: 2 },
      'is 2 of 1 replicas, at most 1 is allowed',
    ],
    [
      'a retention of outcomes that is too short for that of requests',
      { requestedDays: 14, outcomeDays: 21 },
      /completed is kept for 21 days, it must be at least 22 days.*failed is kept for 21 days/s,
    ],
    [
      'more replicas than brokers',
      { replication: 3 },
      'Kafka refused to create topics: Replication-factor is invalid (',
    ],
  ])('are not created with %s', async (_, options, reason) => {
    await expect(ensureTopics(kafka, options)).rejects.toThrow(reason);
    expect(await withAdmin(kafka, (admin) => admin.listTopics())).not.toContain(kafka.names.topic('asset.published'));
  });

  it('grow in partitions and retention, report the changes, and keep what an operator has chosen', async () => {
    const unchanged = { created: [], changes: [], notes: [], replication: ['replication 1, min.insync.replicas 1'] };
    const first = await ensureTopics(kafka, { partitions: 2, requestedDays: 3, outcomeDays: 11 });
    expect(first).toEqual({ ...unchanged, created: expect.any(Array) });
    const more = { partitions: 5, requestedDays: 4, outcomeDays: 13 };
    const grown = (topic: string, [before, after]: readonly [number, number]) => [
      `${topic} now has 5 partitions (was 2)`,
      `${topic} now has retention.ms ${after * DAY_MS} (was ${before * DAY_MS})`,
    ];
    expect(await ensureTopics(kafka, more)).toEqual({
      ...unchanged,
      changes: [
        ...grown('offset.requested', [3, 4]),
        ...grown('offset.completed', [11, 13]),
        ...grown('offset.failed', [11, 13]),
      ],
    });
    // A setting of a topic that is not part of a change is kept.
    expect(await settingOf('offset.requested', 'message.timestamp.type')).toBe('LogAppendTime');
    expect(await settingOf('offset.requested', 'compression.type')).toBe('uncompressed');

    // A broker learns of changed settings shortly after Kafka has confirmed the change.
    for (const topic of ['offset.completed', 'offset.failed'])
      await until(async () => expect(await settingOf(topic, 'retention.ms')).toBe(String(13 * DAY_MS)));
    const { changes, notes } = await ensureTopics(kafka, { partitions: 2, requestedDays: 3, outcomeDays: 12 });
    expect(changes).toEqual([]);
    expect(notes).toContain('offset.requested has 5 partitions, more than 2; Kafka cannot remove partitions');
    const longer = 'offset.failed is kept for 13 days, longer than 12 days; lower it by hand if it should not be';
    expect(notes).toContain(longer);
    expect(await partitionsOf('offset.requested')).toBe(5);
  });

  it('never keep requests longer than the retention of outcomes allows, even when retention is raised', async () => {
    await ensureTopics(kafka, { requestedDays: 14, outcomeDays: 22 });
    await expect(ensureTopics(kafka, { requestedDays: 15, outcomeDays: 22 })).rejects.toThrow(/at least 23 days/);
    // A raised retention would make every later run fail, because a retention is never lowered.
    expect(await settingOf('offset.requested', 'retention.ms')).toBe(String(14 * DAY_MS));
    await expect(ensureTopics(kafka, { outcomeDays: 22 })).resolves.toMatchObject({ created: [], changes: [] });
  });

  it('are created without compression.type, with a note, on a cluster that rejects the setting', async () => {
    // A setting that this broker refuses to everyone simulates one that a managed broker refuses to its customers.
    const refused = withCompression('not-for-customers');
    const { created, notes } = await ensureTopics(kafka, {}, refused);
    expect(created).toEqual(['offset.requested', 'offset.requested.dead-letter']);
    const note = /^the cluster does not permit compression.type \(.+\); the topics were created without it$/;
    expect(notes[0]).toMatch(note);
    expect(await settingOf('offset.requested', 'message.timestamp.type')).toBe('LogAppendTime');
    expect(await ensureTopics(kafka, {}, refused)).toMatchObject({ created: [], changes: [] });
  });

  it('keep the compression.type that an operator has set, with a note', async () => {
    await createTopics(kafka, withCompression('producer'));
    const { notes } = await ensureTopics(kafka, {}, { 'offset.requested': REQUESTED });
    expect(notes).toEqual(['offset.requested has compression.type producer, not uncompressed; consumers support it']);
  });
});

describe('the identity of a topic', () => {
  it('has the cluster ID and a topic ID', async () => {
    await test.create();
    const found = await topicIdentities(kafka, ['offset.requested', 'asset.published']);
    const { clusterId } = await withAdmin(kafka, (admin) => admin.describeCluster());
    const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(Object.fromEntries(found)).toEqual({
      'offset.requested': { clusterId, topicId: uuid },
      'asset.published': { clusterId, topicId: uuid },
    });
    expect(found.get('offset.requested')?.topicId).not.toBe(found.get('asset.published')?.topicId);
    expect(await topicIdentity(test.handle(), 'asset.published')).toEqual(found.get('asset.published'));
  });

  it('causes an error with the name of the topic if it does not exist', async () => {
    await expect(topicIdentity(kafka, 'nowhere')).rejects.toThrow(
      `Kafka returned no topic ID for ${test.prefix}nowhere: UNKNOWN_TOPIC_OR_PARTITION`,
    );
    expect(await withAdmin(kafka, (admin) => admin.listTopics())).not.toContain(kafka.names.topic('nowhere'));
  });
});
