import { gzipSync, zstdCompressSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { createTopics } from '../admin/create-topics.js';
import { SMALL_TOPICS, until } from '../test-kafka.js';
import { TestBench, wish } from './test-bench.js';

const { CompressionCodecs, CompressionTypes } = kafkajs;

/** A writer of another make. Readers here know the codec as little as they do in the apps. */
function codec(type: keyof typeof CompressionCodecs, compress: (records: Buffer) => Buffer): void {
  CompressionCodecs[type] = () => ({
    compress: async ({ buffer }: { buffer: Buffer }) => compress(buffer),
    decompress: () => Promise.reject(new Error('no reader knows this codec')),
  });
}

/** kafkajs cannot write a null header value: the empty one of this name gets the length -1 (zigzag 1) instead of 0. */
function withoutValue(records: Buffer, name: string): Buffer {
  const patched = Buffer.from(records);
  patched[patched.indexOf(name) + name.length] = 1;
  return patched;
}

describe('a Kafka batch server and the messages of strange writers', () => {
  let bench: TestBench;

  beforeEach(async () => {
    bench = await TestBench.make();
  });
  afterEach(() => bench.close());

  async function write(type: number, value: string, headers: Record<string, string> = {}): Promise<void> {
    const { client, names } = bench.handle();
    const producer = client.producer();
    await producer.connect();
    const messages = [{ key: 'off_strange', value, headers, partition: 0 }];
    await producer
      .send({ topic: names.topic('offset.requested'), compression: type, messages })
      .finally(() => producer.disconnect());
  }

  async function start(): Promise<{ handled: number[]; fatal: readonly Error[] }> {
    const handled: number[] = [];
    const { fatal } = await bench.start(({ messages }) => {
      handled.push(...messages.map(({ value }) => value?.n ?? -1));
    });
    return { handled, fatal };
  }

  it('reads a header without a value as none, and dead-letters such a message like any other', async () => {
    codec(CompressionTypes.GZIP, (records) => gzipSync(withoutValue(records, 'gone')));
    await write(CompressionTypes.GZIP, '{"n":1}', { ce_type: 'offset.requested.v1', gone: '' });
    await write(CompressionTypes.GZIP, '{', { ce_type: 'offset.requested.v1', gone: '' });
    const { handled, fatal } = await start();
    await bench.drained();
    expect(handled).toEqual([1]);
    const written = await bench.rawMessagesOf('offset.requested');
    expect(written.map(({ headers }) => headers?.gone)).toEqual([null, null]);
    const [letter] = await bench.letters();
    expect(letter?.headers).toMatchObject({ gone: Buffer.alloc(0), 'x-reason-code': Buffer.from('invalid_json') });
    expect(fatal).toEqual([]);
  });

  it('reads what was written in a compression that kafkajs does not know', async () => {
    codec(CompressionTypes.ZSTD, (records) => zstdCompressSync(records));
    await write(CompressionTypes.ZSTD, '{"n":1}', { ce_type: 'offset.requested.v1' });
    const { handled, fatal } = await start();
    await until(() => expect(handled).toEqual([1]));
    expect(fatal).toEqual([]);
  });

  it('never gets a small record that grows large: the broker refuses its writer', async () => {
    codec(CompressionTypes.GZIP, (records) => gzipSync(records));
    const writing = write(CompressionTypes.GZIP, 'x'.repeat(5_000_000));
    await expect(writing).rejects.toMatchObject({ type: 'MESSAGE_TOO_LARGE' });
  });
});

describe('a Kafka batch server and a message larger than any dead letter', () => {
  it('dead-letters what fits of it, and goes on', async () => {
    const bench = new TestBench();
    try {
      const topic = SMALL_TOPICS['offset.requested'];
      const settings = { ...topic.settings, 'max.message.bytes': '8000000' };
      await createTopics(bench.handle(), { 'offset.requested': { ...topic, settings } });
      const { client, names } = bench.handle();
      const producer = client.producer();
      await producer.connect();
      const key = 'off_large';
      const { headers } = wish(1);
      const messages = ['x'.repeat(5_000_000), '{"n":1}'].map((value) => ({ key, value, headers }));
      await producer.send({ topic: names.topic('offset.requested'), messages }).finally(() => producer.disconnect());
      const handled: unknown[] = [];
      await bench.start(({ messages }) => void handled.push(...messages.map(({ value }) => value?.n)));
      await bench.drained();
      expect(handled).toEqual([1]);
      const [letter] = await bench.letters();
      expect(letter?.value?.length).toBe(1_250_000);
      expect(String(letter?.headers?.['x-cut-bytes'])).toBe('3750000');
    } finally {
      await bench.close();
    }
  });
});
