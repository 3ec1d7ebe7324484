import type { KafkaHandle } from '../kafka/create-kafka.js';
import { SMALL_TOPICS, TestKafka, until } from '../test-kafka.js';
import { createTopics } from './create-topics.js';
import { endsOf } from './positions.js';
import { topicIdentities, topicIdentity } from './topic-identity.js';
import { withAdmin } from './with-admin.js';

describe('the identity of a topic', () => {
  let test: TestKafka;
  let kafka: KafkaHandle;

  beforeEach(async () => {
    test = new TestKafka();
    kafka = test.handle();
    await test.create();
  });
  afterEach(() => test.remove());

  it('is the id of the cluster, and an id of its own', async () => {
    const found = await topicIdentities(kafka, ['offset.requested', 'asset.published']);
    const { clusterId } = await withAdmin(kafka, (admin) => admin.describeCluster());
    const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect([...found]).toEqual([
      ['offset.requested', { clusterId, topicId: uuid }],
      ['asset.published', { clusterId, topicId: uuid }],
    ]);
    expect(found.get('offset.requested')?.topicId).not.toBe(found.get('asset.published')?.topicId);
    expect(await topicIdentity(test.handle(), 'asset.published')).toEqual(found.get('asset.published'));
  });

  it('stays when partitions are added, and changes when the topic is deleted and created again', async () => {
    const topic = kafka.names.topic('offset.requested');
    const first = await topicIdentity(kafka, 'offset.requested');
    await withAdmin(kafka, (admin) => admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] }));
    await until(async () => expect(await endsOf(kafka, 'offset.requested')).toHaveLength(5));
    expect(await topicIdentity(kafka, 'offset.requested')).toEqual(first);
    await withAdmin(kafka, (admin) => admin.deleteTopics({ topics: [topic] }));
    // A broker may still tell of the deleted topic, which is then not created.
    await until(async () => {
      await createTopics(kafka, SMALL_TOPICS);
      const second = await topicIdentity(kafka, 'offset.requested');
      expect(second.clusterId).toBe(first.clusterId);
      expect(second.topicId).not.toBe(first.topicId);
    });
  });

  it('of a topic that does not exist is an error that names it', async () => {
    await expect(topicIdentity(kafka, 'nowhere')).rejects.toThrow(
      `Kafka does not tell which topic ${test.prefix}nowhere is: UNKNOWN_TOPIC_OR_PARTITION.`,
    );
    expect(await withAdmin(kafka, (admin) => admin.listTopics())).not.toContain(kafka.names.topic('nowhere'));
  });
});
