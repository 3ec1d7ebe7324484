import type { ReceivedBatch } from '../pipeline/received.js';
import { eventMessage } from '../publish/outgoing-message.js';
import { SMALL_TOPICS, TestKafka, until } from '../test-kafka.js';
import type { KafkaBatchServer } from './kafka-batch-server.js';
import { startConsumer } from './start-consumer.js';

describe('consumers without Nest around them', () => {
  const test = new TestKafka();
  const kafka = test.handle();
  const producer = test.producer();
  const consumers: KafkaBatchServer[] = [];
  const start = (groupId: string) => {
    const keys: string[] = [];
    const take = async ({ messages }: ReceivedBatch<{ n: number }>) => {
      keys.push(...messages.map(({ key }) => key));
      return messages
        .filter(({ value }) => value?.n === 13)
        .map(({ position }) => ({ position, code: 'unlucky', detail: 'Thirteen.' }));
    };
    const consumer = startConsumer(kafka, 'asset.published', { groupId, topics: SMALL_TOPICS }, take);
    consumers.push(consumer);
    return { consumer, keys };
  };

  beforeAll(() => test.create());
  afterAll(async () => {
    await producer.close();
    await Promise.all(consumers.map((consumer) => consumer.close()));
    await test.remove();
  });

  it('each get all of a topic, dead-letter what they reject, and end one by one', async () => {
    const publish = (id: string, n: number) =>
      producer.publish(
        eventMessage(
          'asset.published.v1',
          { n },
          { id, subject: id, source: '/assets', time: '2026-01-01T00:00:00.000Z' },
        ),
      );
    const [one, two] = [start('one'), start('two')];
    await Promise.all([publish('a', 1), publish('b', 13)]);
    await until(() =>
      expect([one.keys.sort(), two.keys.sort()]).toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ]),
    );
    await one.consumer.close();
    await publish('c', 2);
    await until(() => expect(two.keys).toContain('c'));
    expect(one.keys).not.toContain('c');
    expect(two.consumer.consuming).toBe(true);
  });
});
