import { zstdCompressSync } from 'node:zlib';
import { currentContext } from '@carbon/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import kafkajs, { type Message } from 'kafkajs';
import type { Batch } from '../pipeline/message.js';
import type { WireMessage } from '../publish/publisher.js';
import { numbersOf, outage, TestBench } from '../testing/batch-server.js';
import { assetEvent, requestEvent, SMALL_TOPICS, until } from '../testing/kafka.js';
import { startConsumer } from './kafka-batch-server.js';

let bench: TestBench;

beforeEach(() => {
  bench = new TestBench();
});
afterEach(() => bench.close());

const textOf = (value: unknown) => String(value);

/** Writes messages as other producers may. */
async function write(messages: Message[], compression?: number): Promise<void> {
  const { client, names } = bench.handle();
  const producer = client.producer();
  await producer.connect();
  const record = { topic: names.topic('offset.requested'), ...(compression !== undefined && { compression }) };
  await producer.send({ ...record, messages }).finally(() => producer.disconnect());
}

describe('a Kafka batch server', () => {
  it('handles all but four of 10,000 through transient errors, and dead-letters those four as they came', async () => {
    await bench.create();
    const handled = new Set<number>();
    let calls = 0;
    await bench.start(({ messages }) => {
      calls += 1;
      if (calls % 7 === 0) throw outage();
      if (messages.some(({ value }) => value?.n === 5_000)) throw new Error('n 5000 cannot be');
      const rejected = messages.filter(({ value }) => value?.n === 7_000);
      for (const message of messages) if (message.value && !rejected.includes(message)) handled.add(message.value.n);
      return rejected.map(({ position }) => ({ position, code: 'not_ours', detail: 'of another account' }));
    });
    const broken: WireMessage = {
      topic: 'offset.requested',
      key: 'off_broken',
      value: Buffer.from([0x7b, 0xff, 0x00, 0x7d]),
      headers: { ce_type: 'offset.requested.v1', twice: ['a', 'b'], bytes: Buffer.from([0, 255]) },
    };
    const invalidMessage = { ...requestEvent(0, 'off_shape'), value: '{"n":"1"}' };
    const good = Array.from({ length: 10_000 }, (_, n) => requestEvent(n));
    await bench.publishAll([...good.slice(0, 4_000), broken, invalidMessage, ...good.slice(4_000)]);
    await bench.drained();

    expect(handled.size).toBe(9_998);
    const deadLetters = new Map((await bench.deadLetters()).map((deadLetter) => [textOf(deadLetter.key), deadLetter]));
    const reasons = [...deadLetters].map(([key, { headers }]) => [key, textOf(headers?.['x-reason-code'])]);
    expect(Object.fromEntries(reasons)).toEqual({
      off_broken: 'invalid_json',
      off_shape: 'invalid_data',
      off_5000: 'handler_failed',
      off_7000: 'not_ours',
    });
    const undecodable = deadLetters.get('off_broken');
    expect(undecodable?.value).toEqual(broken.value);
    expect(undecodable?.headers).toMatchObject({
      ce_type: Buffer.from('offset.requested.v1'),
      twice: [Buffer.from('a'), Buffer.from('b')],
      bytes: Buffer.from([0, 255]),
      'x-handler': Buffer.from('offsets'),
      'x-topic': Buffer.from('offset.requested'),
      'x-attempts': Buffer.from('0'),
    });
    const refused = deadLetters.get('off_5000');
    expect(textOf(refused?.value)).toBe('{"n":5000}');
    expect(Number(textOf(refused?.headers?.['x-attempts']))).toBeGreaterThanOrEqual(3);
    expect(Date.parse(textOf(refused?.headers?.['x-first-failed-at']))).not.toBeNaN();
    expect(bench.joins()).toBe(1);
  });

  it('reads compressions that kafkajs does not know, and ignores headers without a value', async () => {
    await bench.create();
    const { CompressionCodecs, CompressionTypes } = kafkajs;
    // kafkajs cannot write a null header value: the empty one gets the length -1 (zigzag 1) instead of 0.
    const compress = async ({ buffer }: { buffer: Buffer }) => {
      const patched = Buffer.from(buffer);
      for (let at = patched.indexOf('gone'); at !== -1; at = patched.indexOf('gone', at + 4)) patched[at + 4] = 1;
      return zstdCompressSync(patched);
    };
    // The readers in this process do not have the codec, like those in the apps.
    const decompress = () => Promise.reject(new Error('no reader knows this codec'));
    CompressionCodecs[CompressionTypes.ZSTD] = () => ({ compress, decompress });
    const headers = { ce_type: 'offset.requested.v1', gone: '' };
    const messages = ['{"n":1}', '{'].map((value) => ({ key: 'off_strange', value, headers, partition: 0 }));
    await write(messages, CompressionTypes.ZSTD);
    const handled: number[] = [];
    const { fatal } = await bench.start((batch) => void handled.push(...numbersOf(batch)));
    await bench.drained();
    expect(handled).toEqual([1]);
    const written = await bench.rawMessagesOf('offset.requested');
    expect(written.map((one) => one.headers?.gone)).toEqual([null, null]);
    const [deadLetter] = await bench.deadLetters();
    expect(deadLetter?.headers).toMatchObject({ gone: Buffer.alloc(0), 'x-reason-code': Buffer.from('invalid_json') });
    expect(fatal).toEqual([]);
  });

  it('cuts a dead letter that is too large, and continues', async () => {
    const topic = SMALL_TOPICS['offset.requested'];
    const settings = { ...topic.settings, 'max.message.bytes': '8000000' };
    await bench.create({ 'offset.requested': { ...topic, settings } });
    const { headers } = requestEvent(1);
    await write(['x'.repeat(5_000_000), '{"n":1}'].map((value) => ({ key: 'off_large', value, headers })));
    const handled: number[] = [];
    await bench.start((batch) => void handled.push(...numbersOf(batch)));
    await bench.drained();
    expect(handled).toEqual([1]);
    const [deadLetter] = await bench.deadLetters();
    expect(deadLetter?.value?.length).toBe(1_250_000);
    expect(textOf(deadLetter?.headers?.['x-cut-bytes'])).toBe('3750000');
  });
});

describe('a Kafka batch server within Nest', () => {
  it('passes a message to its handler with the context of its request', async () => {
    await bench.create();
    const seen: unknown[] = [];
    await bench.start(({ messages: [message] }) => void seen.push({ message, current: currentContext() }));
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { ...requestEvent(7).headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    await bench.publisher.publish({ ...requestEvent(7), headers });
    await until(() => expect(seen).toHaveLength(1));
    const context = { requestId: 'r-7', traceId };
    expect(seen[0]).toMatchObject({
      message: { key: 'off_7', value: { n: 7 }, type: 'offset.requested.v1', position: 0n, context },
      current: context,
    });
  });

  it('receives the error of a handler, whatever filters the application has for HTTP', async () => {
    @Catch()
    class HttpFilter implements ExceptionFilter {
      catch(_error: unknown, host: ArgumentsHost) {
        host.switchToHttp().getResponse().status(500);
      }
    }
    await bench.create();
    let failing = true;
    const handled: number[] = [];
    await bench.start(
      (batch) => {
        if (failing) throw outage();
        handled.push(...numbersOf(batch));
      },
      { prepare: (app) => app.useGlobalFilters(new HttpFilter()) },
    );
    await bench.publisher.publish(requestEvent(1));
    await until(() => expect(bench.times('the handler is retried until an outage ends')).toBeGreaterThan(2));
    const line = bench.log.find(({ message }) => message.startsWith('the handler is retried'));
    expect(line?.fields).toMatchObject({ err: { name: 'TransientError' } });
    failing = false;
    await until(() => expect(handled).toEqual([1]));
    expect(await bench.deadLetters()).toEqual([]);
  });

  it('refuses to start without a handler for its topic', async () => {
    const starting = bench.start(() => {}, { topic: 'asset.published' });
    await expect(starting).rejects.toThrow('No handler for asset.published.');
  });
});

describe('consumers without Nest', () => {
  it('each receive the whole topic, dead-letter what they reject, and stop one by one', async () => {
    await bench.create();
    const kafka = bench.handle();
    const start = (groupId: string) => {
      const keys: string[] = [];
      const take = async ({ messages }: Batch<{ n: number }>) => {
        keys.push(...messages.map(({ key }) => key));
        const unlucky = messages.filter(({ value }) => value?.n === 13);
        return unlucky.map(({ position }) => ({ position, code: 'unlucky', detail: 'Thirteen.' }));
      };
      return { keys, consumer: startConsumer(kafka, 'asset.published', { groupId, topics: SMALL_TOPICS }, take) };
    };
    const [one, two] = [start('one'), start('two')];
    try {
      await Promise.all(
        [assetEvent('a', { n: 1 }), assetEvent('b', { n: 13 })].map((one) => bench.publisher.publish(one)),
      );
      await until(() =>
        expect([new Set(one.keys), new Set(two.keys)]).toEqual([new Set(['a', 'b']), new Set(['a', 'b'])]),
      );
      await until(async () => {
        const deadLetters = await bench.rawMessagesOf('asset.published.dead-letter');
        expect(deadLetters.map(({ headers }) => textOf(headers?.['x-handler'])).sort()).toEqual(['one', 'two']);
      });
      await one.consumer.close();
      await bench.publisher.publish(assetEvent('c', { n: 2 }));
      await until(() => expect(two.keys).toContain('c'));
      expect(one.keys).not.toContain('c');
      expect(two.consumer.consuming).toBe(true);
    } finally {
      await Promise.all([one, two].map(({ consumer }) => consumer.close()));
    }
  });
});
