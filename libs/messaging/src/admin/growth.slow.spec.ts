import { setTimeout as sleep } from 'node:timers/promises';
import { startConsumer } from '../consume/kafka-batch-server.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { requestEvent, SMALL_TOPICS, TestKafka, until } from '../testing/kafka.js';
import { ensureTopics } from './create-topics.js';
import { topicEnds } from './positions.js';

const TOPIC = 'offset.requested';
const GROWN = 8;
const OLD = SMALL_TOPICS[TOPIC].partitions;
/** How often the clients refresh the metadata here; the rest is for a busy machine. */
const METADATA_MAX_AGE_MS = 5_000;
const TIMEOUT_MS = 120_000 + METADATA_MAX_AGE_MS;

/** Writes one message to each of the new partitions, whatever the writer's metadata contain. */
async function writeToEach(kafka: KafkaHandle): Promise<number[]> {
  const producer = kafka.client.producer();
  await producer.connect();
  const partitions = Array.from({ length: GROWN - OLD }, (_, place) => OLD + place);
  const headers = { ce_type: 'offset.requested.v1' };
  const messages = partitions.map((partition) => ({ key: 'k', value: `{"n":${partition}}`, headers, partition }));
  await producer.send({ topic: kafka.names.topic(TOPIC), messages }).finally(() => producer.disconnect());
  return partitions;
}

describe('a topic that grows while it is in use', () => {
  const test = new TestKafka();
  afterAll(() => test.close());

  it('is consumed and written to on its new partitions without a restart', async () => {
    expect(test.handle().metadataMaxAgeMs).toBe(60_000);
    await test.create();
    const often = () => test.handle({ metadataMaxAgeMs: METADATA_MAX_AGE_MS });
    const handled = new Set<number>();
    const fatal: Error[] = [];
    const options = { groupId: 'grown', topics: SMALL_TOPICS, onFatal: (error: Error) => void fatal.push(error) };
    const consumers = [1, 2].map(() =>
      startConsumer<{ n: number }>(often(), TOPIC, options, async ({ messages }) => {
        for (const { value } of messages) handled.add(value?.n ?? -1);
        return [];
      }),
    );
    const producer = test.producer({}, often());
    try {
      await until(() => expect(consumers.map(({ consuming }) => consuming)).toEqual([true, true]));
      await producer.publish(requestEvent(1_000));
      await ensureTopics(test.handle(), { partitions: GROWN }, SMALL_TOPICS);
      // A broker learns of the partitions shortly after Kafka has confirmed them.
      await until(async () => expect(await topicEnds(test.handle(), TOPIC)).toHaveLength(GROWN));

      const written = await writeToEach(test.handle());
      const used = new Set<number>();
      for (let n = 0; Math.max(0, ...used) < OLD; n += 1) {
        const { partition } = await producer.publish(requestEvent(2_000 + n));
        used.add(partition);
        await sleep(100);
      }
      await until(() => expect([...handled]).toEqual(expect.arrayContaining([1_000, ...written])), TIMEOUT_MS);
      expect(fatal).toEqual([]);
    } finally {
      await Promise.all(consumers.map((consumer) => consumer.close()));
    }
  });
});
