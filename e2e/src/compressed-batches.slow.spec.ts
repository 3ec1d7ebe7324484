import { join } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { TOPICS } from '@carbon/contracts';
import { fetchEngines, findJdk } from '@carbon/local';
import { createKafka, createTopics, type KafkaHandle, readTopic, startConsumer } from '@carbon/messaging';
import { eventually, freshPrefix, runToEnd, testEngines } from '@carbon/testing';
import { z } from 'zod';

const TOPIC = 'offset.requested';
const TYPE = 'offset.requested.v1';
const { settings } = TOPICS[TOPIC];
/** A topic that keeps the compression of its writers, as on a cluster that does not permit our setting. */
const TABLE = {
  [TOPIC]: {
    ...TOPICS[TOPIC],
    partitions: 1,
    types: { [TYPE]: z.object({ text: z.string() }) },
    settings: { ...settings, 'compression.type': 'producer' },
  },
};
const MEBIBYTE = 1_024 * 1_024;
const PRODUCE = join(import.meta.dirname, 'fixtures/Produce.java');

async function topicOfItsOwn(): Promise<KafkaHandle> {
  const brokers = testEngines().kafkaBrokers.split(',');
  const kafka = createKafka({ brokers, clientId: 'test', topicPrefix: freshPrefix() });
  await eventually(() => createTopics(kafka, TABLE));
  return kafka;
}

/** Writes messages compressed by Kafka's own Java client, in as few batches as it makes. */
async function write(kafka: KafkaHandle, codec: string, texts: readonly string[]): Promise<void> {
  const jdk = findJdk('Kafka', 17, inheritedEnvironment());
  const { kafkaLibs } = await fetchEngines();
  const { code, err } = await runToEnd(
    join(jdk.home, 'bin', 'java'),
    [
      ...['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(kafkaLibs, '*')],
      ...[PRODUCE, testEngines().kafkaBrokers, kafka.names.topic(TOPIC), codec, TYPE],
    ],
    { input: texts.map((text) => `${JSON.stringify({ text })}\n`).join('') },
  );
  if (code !== 0) throw new Error(err);
}

describe('batches that Kafka’s Java client has compressed', () => {
  it.each(['gzip', 'snappy', 'lz4', 'zstd'])('are read unchanged: %s', async (codec) => {
    const kafka = await topicOfItsOwn();
    // Repetitive enough that the broker stores fewer bytes than were written, varied enough for every kind of token.
    const texts = Array.from({ length: 600 }, (_, n) => `${n} ${'carbon credit '.repeat(n % 40)}${Math.sin(n)}`);
    await write(kafka, codec, texts);
    const read: string[] = [];
    const onMessage = ({ value }: { value: unknown }) => void read.push((value as { text: string }).text);
    await readTopic(kafka, TOPIC, onMessage, { topics: TABLE });
    expect(read).toEqual(texts);
  });

  it('stop a consumer with an error, but not the process, when a few bytes would decompress into too many', async () => {
    const kafka = await topicOfItsOwn();
    await write(kafka, 'zstd', ['x'.repeat(40 * MEBIBYTE)]);
    const fatal: Error[] = [];
    const options = { groupId: 'bomb', topics: TABLE, onFatal: (error: Error) => void fatal.push(error) };
    const consumer = startConsumer(kafka, TOPIC, options, async () => []);
    try {
      await eventually(() => expect(fatal).toHaveLength(1), { within: 60_000 });
      expect(String(fatal[0]?.cause)).toMatch(
        /compressed by zstd cannot be read \(at most 33554432 bytes decompressed\)/,
      );
    } finally {
      await consumer.close();
    }
    await expect(readTopic(kafka, TOPIC, () => {}, { topics: TABLE })).rejects.toThrow(/cannot be read/);
  });
});
