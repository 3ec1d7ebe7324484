import { PrefixedNames } from '../kafka/create-kafka.js';
import { requestEvent, TestKafka, until } from '../testing/kafka.js';
import { MessageTooLarge, NotPublished, PublishOutcomeUnknown } from './publisher.js';
import type { ProducerLimits, SelfClockedProducer } from './self-clocked-producer.js';

const LONG_DEADLINE = { deadlineMs: 60_000 };
/** The timeout for a response after one second on a busy machine; nothing else ends a wait before five seconds. */
const SOON_AFTER_A_SECOND = 4_000;

describe('a self-clocked producer', () => {
  let test: TestKafka;

  const onNetwork = async (limits: Partial<ProducerLimits> = {}) => {
    const network = await test.network();
    return { network, producer: test.producer(limits, test.handle(network)) };
  };
  const outcome = async (sent: Promise<unknown>) => {
    const start = performance.now();
    const error: unknown = await sent.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, ms: performance.now() - start };
  };
  const keysOn = async () => (await test.rawMessagesOf('offset.requested')).map(({ key }) => String(key));
  const connected = async (producer: SelfClockedProducer) => {
    producer.open();
    await until(() => expect(producer.connected).toBe(true));
  };

  beforeEach(async () => {
    // Separate topics for each test, because a name is not free again immediately after a deletion.
    test = new TestKafka();
    await test.create();
  });
  afterEach(() => test.close());

  it('appends thousands of overlapping messages exactly once, and returns their positions', async () => {
    const publisher = test.producer({ inFlight: 10_000 });
    const numbers = Array.from({ length: 5_000 }, (_, n) => n);
    const published = await Promise.all(numbers.map((n) => publisher.publish(requestEvent(n))));
    const found = (await test.rawMessagesOf('offset.requested')).map((message) => ({
      ...message,
      n: JSON.parse(String(message.value)).n as number,
    }));
    expect(found.map(({ n }) => n).sort((one, other) => one - other)).toEqual(numbers);
    const wrong = found.filter(({ n, key, offset }) => {
      return String(key) !== `off_${n}` || published[n]?.position !== BigInt(offset);
    });
    expect(wrong).toEqual([]);
    expect(new Set(published.map(({ partition }) => partition))).toEqual(new Set([0, 1, 2]));
    expect(String(found[0]?.headers?.ce_type)).toBe('offset.requested.v1');
  });

  it('sends what is in flight before it closes, and accepts no more', async () => {
    const publisher = test.producer();
    const sent = Promise.all([1, 2, 3].map((n) => publisher.publish(requestEvent(n))));
    await publisher.close();
    await sent;
    await expect(publisher.publish(requestEvent(4))).rejects.toThrow(NotPublished);
    expect((await keysOn()).sort()).toEqual(['off_1', 'off_2', 'off_3']);
  });

  it.each([
    ['no broker is there', false, 'takeDown'],
    ['Kafka has gone away before any request with it was written', true, 'takeDown'],
    ['a broker never answers', false, 'silence'],
  ] as const)('says not accepted within the deadline when %s, and never sends it later', async (_, isOpen, fail) => {
    const { network, producer } = await onNetwork({ deadlineMs: 1_000 });
    if (isOpen) await connected(producer);
    network[fail]();
    const { error, ms } = await outcome(producer.publish(requestEvent(1)));
    expect(error).toMatchObject({ name: 'NotPublished', reason: 'deadline' });
    expect(ms).toBeLessThan(SOON_AFTER_A_SECOND);
    network.restore();
    await producer.publish(requestEvent(2), LONG_DEADLINE);
    expect(await keysOn()).toEqual(['off_2']);
  });

  it('sends again before the deadline of a message, and never after it', async () => {
    const { network, producer } = await onNetwork();
    await producer.publish(requestEvent(0), LONG_DEADLINE);
    network.silence();
    const late = outcome(producer.publish(requestEvent(1), { deadlineMs: 500 }));
    const withTimeout = producer.publish(requestEvent(2), LONG_DEADLINE);
    expect((await late).error).toBeInstanceOf(Error);
    network.restore();
    await withTimeout;
    expect(await keysOn()).toEqual(expect.arrayContaining(['off_0', 'off_2']));
    expect(await keysOn()).not.toContain('off_1');
  });

  it('never sends a message whose deadline passed while the process was suspended', async () => {
    const publisher = test.producer();
    await publisher.publish(requestEvent(0), LONG_DEADLINE);
    const late = outcome(publisher.publish(requestEvent(1), { deadlineMs: 200 }));
    // A callback of setImmediate runs before the timer of the deadline.
    for (const end = performance.now() + 400; performance.now() < end; );
    expect((await late).error).toMatchObject({ name: 'NotPublished', reason: 'deadline' });
    expect(await keysOn()).toEqual(['off_0']);
  });

  it('rejects with NotPublished when Kafka refuses the topic before a request was written', async () => {
    const publisher = test.producer({}, { ...test.handle(), names: new PrefixedNames('no/name/of/a/topic/') });
    const { error } = await outcome(publisher.publish(requestEvent(1)));
    expect(error).toMatchObject({ name: 'NotPublished', reason: 'refused' });
  });

  it('rejects at once while Kafka has been unreachable for long', async () => {
    const { network, producer } = await onNetwork({ deadlineMs: 2_000, refuseAfterMs: 500 });
    network.takeDown();
    await until(() => expect(producer.publish(requestEvent(1))).rejects.toMatchObject({ reason: 'unreachable' }));
    const { error } = await outcome(producer.publish(requestEvent(2)));
    // Not `deadline`, because it has not waited for Kafka.
    expect(error).toMatchObject({ reason: 'unreachable' });
    network.restore();
    await until(() => producer.publish(requestEvent(3)));
  });

  it('rejects with PublishOutcomeUnknown what is sent but unconfirmed at the deadline, which stays in flight until Kafka settles it', async () => {
    const { network, producer } = await onNetwork({ inFlight: 10, deadlineMs: 500 });
    await producer.publish(requestEvent(0), LONG_DEADLINE);
    network.silence();
    const first = await Promise.all(Array.from({ length: 12 }, (_, n) => outcome(producer.publish(requestEvent(n)))));
    const full = first.filter(({ error }) => error instanceof NotPublished && error.reason === 'full');
    const unknown = first.filter(({ error }) => error instanceof PublishOutcomeUnknown);
    expect([full.length, unknown.length]).toEqual([2, 10]);
    expect(Math.max(...unknown.map(({ ms }) => ms))).toBeLessThan(SOON_AFTER_A_SECOND);
    await expect(producer.publish(requestEvent(13))).rejects.toMatchObject({ reason: 'full' });
    network.restore();
    await until(() => producer.publish(requestEvent(14)));
  });

  it('rejects a message that is too large, and publishes the others', async () => {
    const publisher = test.producer({ messageBytes: 1_000 });
    const large = { ...requestEvent(1), value: 'x'.repeat(2_000) };
    const [refused] = await Promise.allSettled([publisher.publish(large), publisher.publish(requestEvent(2))]);
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(MessageTooLarge) });
    expect(await keysOn()).toEqual(['off_2']);
  });

  it('keeps the order of messages with one key while responses are lost, with one request at a time', async () => {
    const { network, producer } = await onNetwork({ requests: 1, batchMessages: 10 });
    let confirmed = 0;
    const sent = Array.from({ length: 2_000 }, async (_, n) => {
      await producer.publish(requestEvent(n, 'off_same'));
      confirmed += 1;
      if (confirmed % 200 === 0) network.loseAnswers();
    });
    await Promise.all(sent);
    const numbers = (await test.rawMessagesOf('offset.requested')).map(({ value }) => JSON.parse(String(value)).n);
    expect(numbers.length).toBeGreaterThan(2_000);
    const latest = [...new Set(numbers.reverse())].reverse();
    expect(latest).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
  });
});
