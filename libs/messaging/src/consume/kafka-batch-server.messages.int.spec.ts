import type { WireMessage } from '../publish/outgoing-message.js';
import { until } from '../test-kafka.js';
import { outage, TestBench, wish } from './test-bench.js';

describe('a Kafka batch server and its messages', () => {
  let bench: TestBench;

  beforeEach(async () => {
    bench = await TestBench.make();
  });
  afterEach(() => bench.close());

  it('handles all but two of 10,000 through transient faults, and dead-letters those two as they came', async () => {
    const handled = new Map<number, number>();
    let calls = 0;
    await bench.start(({ messages }) => {
      calls += 1;
      if (calls % 7 === 0) throw outage();
      if (messages.some(({ value }) => value?.n === 5_000)) throw new Error('n 5000 cannot be');
      for (const { value } of messages) if (value) handled.set(value.n, (handled.get(value.n) ?? 0) + 1);
    });
    const broken: WireMessage = {
      topic: 'offset.requested',
      key: 'off_broken',
      value: Buffer.from([0x7b, 0xff, 0x00, 0x7d]),
      headers: { ce_type: 'offset.requested.v1', twice: ['a', 'b'], bytes: Buffer.from([0, 255]) },
    };
    const good = Array.from({ length: 10_000 }, (_, n) => wish(n));
    await bench.publishAll([...good.slice(0, 4_000), broken, ...good.slice(4_000)]);
    await bench.drained();

    expect(handled.size).toBe(9_999);
    expect(handled.has(5_000)).toBe(false);
    const found = await bench.letters();
    expect(found.map(({ key }) => String(key)).sort()).toEqual(['off_5000', 'off_broken']);
    const undecodable = found.find(({ key }) => String(key) === 'off_broken');
    expect(undecodable?.value).toEqual(broken.value);
    expect(undecodable?.headers).toMatchObject({
      ce_type: Buffer.from('offset.requested.v1'),
      twice: [Buffer.from('a'), Buffer.from('b')],
      bytes: Buffer.from([0, 255]),
      'x-reason-code': Buffer.from('invalid_json'),
      'x-handler': Buffer.from('offsets'),
      'x-topic': Buffer.from('offset.requested'),
      'x-attempts': Buffer.from('0'),
    });
    const refused = found.find(({ key }) => String(key) === 'off_5000');
    expect(String(refused?.value)).toBe('{"n":5000}');
    expect(String(refused?.headers?.['x-reason-code'])).toBe('handler_failed');
    expect(Number(String(refused?.headers?.['x-attempts']))).toBeGreaterThanOrEqual(3);
    expect(Date.parse(String(refused?.headers?.['x-first-failed-at']))).not.toBeNaN();
    expect(bench.joins()).toBe(1);
  });

  it('lets the message behind a poison one flow', async () => {
    const handled: number[] = [];
    await bench.start(({ messages }) => {
      if (messages.some(({ value }) => value?.n === 1)) throw new Error('poison');
      handled.push(...messages.map(({ value }) => value?.n ?? -1));
    });
    for (const n of [0, 1, 2]) await bench.publisher.publish(wish(n, 'off_same'));
    await until(() => expect(handled).toEqual([0, 2]));
    await bench.drained();
    expect(await bench.letters()).toHaveLength(1);
  });

  it('dead-letters each kind of unfit message with its reason, and what the handler rejects with its', async () => {
    const handled: unknown[] = [];
    await bench.start(({ messages }) => {
      handled.push(...messages.map(({ key }) => key));
      return messages
        .filter(({ key }) => key === 'off_rejected')
        .map(({ position }) => ({ position, code: 'not_ours', detail: 'of another account' }));
    });
    const plain = wish(1);
    await bench.publishAll([
      { ...plain, key: 'off_good' },
      { ...plain, key: 'off_rejected' },
      { ...plain, key: null },
      { ...plain, key: 'off_null', value: null },
      { ...plain, key: 'off_word', value: 'null' },
      { ...plain, key: 'off_shape', value: '{"n":"1"}' },
      { ...plain, key: 'off_type', headers: { ce_type: 'offset.requested.v9' } },
      { ...plain, key: 'off_proto', headers: { ce_type: 'constructor' } },
    ]);
    await bench.drained();
    const reasons = (await bench.letters()).map(({ key, headers }) => [
      String(key),
      String(headers?.['x-reason-code']),
    ]);
    expect(Object.fromEntries(reasons)).toEqual({
      off_rejected: 'not_ours',
      null: 'invalid_key',
      off_null: 'unexpected_tombstone',
      off_word: 'invalid_json',
      off_shape: 'invalid_data',
      off_type: 'unknown_type',
      off_proto: 'unknown_type',
    });
    expect(handled).toEqual(expect.arrayContaining(['off_good', 'off_rejected']));
    expect(handled).toHaveLength(2);
  });
});
