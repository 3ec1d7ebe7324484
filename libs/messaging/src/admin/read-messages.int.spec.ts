import type { KafkaHandle } from '../kafka/create-kafka.js';
import { TestKafka } from '../test-kafka.js';
import { endsOf, type PartitionEnds } from './positions.js';
import { type OnRawMessage, readMessages } from './read-messages.js';
import { endsSince } from './since.js';

const TOPIC = 'offset.requested';

describe('reading messages as they lie there', () => {
  const test = new TestKafka();
  let kafka: KafkaHandle;
  beforeAll(async () => {
    kafka = test.handle();
    await test.create();
    const producer = kafka.client.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    for (let partition = 0; partition < 3; partition += 1) {
      const messages = Array.from({ length: 10 }, (_, n) => ({ partition, key: `${partition}`, value: `${n}` }));
      await producer.send({ topic: kafka.names.topic(TOPIC), messages });
    }
    await producer.disconnect();
  });
  afterAll(() => test.remove());

  const read = async (change: (ends: PartitionEnds) => PartitionEnds, answer: ReturnType<OnRawMessage> = undefined) => {
    const found: string[] = [];
    await readMessages(kafka, TOPIC, (await endsOf(kafka, TOPIC)).map(change), (partition, { value }) => {
      found.push(`${partition}:${value}`);
      return answer;
    });
    return found;
  };

  it('hands over each once, those of a partition in order', async () => {
    const found = await read((ends) => ends);
    expect(found).toHaveLength(30);
    for (const partition of ['0', '1', '2']) {
      const values = found.filter((one) => one.startsWith(partition)).map((one) => one.slice(2));
      expect(values).toEqual([...Array(10).keys()].map(String));
    }
  });

  it('begins where it is told, and leaves partitions out of which nothing is wanted', async () => {
    const found = await read((ends) => ({ ...ends, begin: ends.partition === 1 ? 7n : ends.end }));
    expect(found).toEqual(['1:7', '1:8', '1:9']);
  });

  it('reads nothing when nothing is wanted', async () => {
    expect(await read((ends) => ({ ...ends, begin: ends.end }))).toEqual([]);
  });

  it('ends when its reader has had enough', async () => {
    expect(await read((ends) => ends, 'enough')).toHaveLength(1);
  });

  it('rejects with what its reader throws', async () => {
    const failing = readMessages(kafka, TOPIC, await endsOf(kafka, TOPIC), () => {
      throw new Error('The reader is tired.');
    });
    await expect(failing).rejects.toThrow('The reader is tired.');
  });

  it('finds where a time begins', async () => {
    const ends = await endsOf(kafka, TOPIC);
    expect(await endsSince(kafka, TOPIC, new Date(0))).toEqual(ends);
    const later = await endsSince(kafka, TOPIC, new Date(Date.now() + 3_600_000));
    expect(later).toEqual(ends.map((one) => ({ ...one, begin: one.end })));
  });
});
