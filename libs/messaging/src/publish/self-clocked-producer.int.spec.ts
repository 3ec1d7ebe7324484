import { randomUUID } from 'node:crypto';
import { Names } from '../kafka/names.js';
import { Door, TestKafka, until } from '../test-kafka.js';
import { eventMessage } from './outgoing-message.js';
import { MessageTooLarge, NotAccepted, OutcomeUnknown } from './publish-errors.js';
import { PRODUCER_LIMITS, type ProducerLimits } from './self-clocked-producer.js';

const PATIENTLY = { deadlineMs: 60_000 };
/** For who is answered after a second: long for a busy machine, and nothing else ends a wait before five seconds. */
const SOON_AFTER_A_SECOND = 4_000;

const message = (n: number, id = `off_${n}`) => {
  return eventMessage(
    'offset.requested.v1',
    { n },
    { id, subject: id, source: '/gateway', time: '2026-01-01T00:00:00.000Z' },
  );
};

describe('a self-clocked producer', () => {
  let test: TestKafka;
  const open: { close(): unknown }[] = [];
  const producer = (limits: Partial<ProducerLimits> = {}, kafka = test.handle()) => {
    const made = test.producer(limits, kafka);
    open.push(made);
    return made;
  };
  const behindDoor = async (limits: Partial<ProducerLimits> = {}) => {
    const door = await new Door().ready();
    open.push(door);
    return { door, behind: producer(limits, test.handle(door.sockets)) };
  };
  const outcome = async (sent: Promise<unknown>) => {
    const start = performance.now();
    const error: unknown = await sent.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, ms: performance.now() - start };
  };
  const idsOn = async () => {
    const messages = await test.rawMessagesOf('offset.requested');
    return messages.map(({ key }) => String(key));
  };

  beforeEach(async () => {
    // Topics of its own for each test: a name is not free again at once.
    test = new TestKafka();
    await test.create();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((part) => part.close()));
    await test.remove();
  });

  it('brings every one of thousands of overlapping messages, with value and headers, exactly once', async () => {
    const publisher = producer({ inFlight: 10_000 });
    const ids = Array.from({ length: 5_000 }, () => randomUUID());
    await Promise.all(ids.map((id, n) => publisher.publish(message(n, id))));
    const found = await test.rawMessagesOf('offset.requested');
    expect(found.map(({ key }) => String(key)).sort()).toEqual([...ids].sort());
    const last = found.find(({ key }) => String(key) === ids.at(-1));
    expect(JSON.parse(String(last?.value))).toEqual({ n: 4_999 });
    expect(String(last?.headers?.ce_type)).toBe('offset.requested.v1');
  });

  it('says where each message was written', async () => {
    const publisher = producer();
    const published = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => publisher.publish(message(n))));
    const found = await test.rawMessagesOf('offset.requested');
    const ofPartition = (wanted: number) => published.flatMap((at, n) => (at.partition === wanted ? [{ at, n }] : []));
    for (const partition of [0, 1, 2]) {
      const positions = ofPartition(partition).map(({ at }) => at.position);
      expect(positions).toEqual(positions.map((_, place) => BigInt(place)));
    }
    for (const { key, offset } of found) {
      const n = Number(String(key).slice('off_'.length)) - 1;
      expect(published[n]?.position).toBe(BigInt(offset));
    }
  });

  it('sends what is under way before it closes, and takes no more', async () => {
    const publisher = producer();
    const sent = Promise.all([1, 2, 3].map((n) => publisher.publish(message(n))));
    await publisher.close();
    await sent;
    await expect(publisher.publish(message(4))).rejects.toThrow(NotAccepted);
    expect((await idsOn()).sort()).toEqual(['off_1', 'off_2', 'off_3']);
  });

  it('says not accepted within the deadline when nobody is there, and never sends it later', async () => {
    const { door, behind } = await behindDoor({ deadlineMs: 1_000 });
    door.shut();
    const { error, ms } = await outcome(behind.publish(message(1)));
    expect(error).toMatchObject({ name: 'NotAccepted', reason: 'deadline' });
    expect(ms).toBeLessThan(SOON_AFTER_A_SECOND);
    door.open();
    await behind.publish(message(2), PATIENTLY);
    expect(await idsOn()).toEqual(['off_2']);
  });

  it('says not accepted when Kafka goes away before any request with the message was written', async () => {
    const { door, behind } = await behindDoor({ deadlineMs: 1_000 });
    behind.open();
    await until(() => expect(behind.connected).toBe(true));
    door.shut();
    const { error } = await outcome(behind.publish(message(1)));
    expect(error).toMatchObject({ name: 'NotAccepted', reason: 'deadline' });
    door.open();
    await behind.publish(message(2), PATIENTLY);
    expect(await idsOn()).toEqual(['off_2']);
  });

  it('sends again what is in time, and nothing that is past its deadline', async () => {
    const { door, behind } = await behindDoor();
    await behind.publish(message(0), PATIENTLY);
    door.mute();
    const [late, inTime] = [behind.publish(message(1), { deadlineMs: 500 }), behind.publish(message(2), PATIENTLY)];
    expect((await outcome(late)).error).toBeInstanceOf(Error);
    door.open();
    await inTime;
    expect(await idsOn()).toEqual(expect.arrayContaining(['off_0', 'off_2']));
    expect(await idsOn()).not.toContain('off_1');
  });

  it('never sends what it came to only after its deadline, because its process slept', async () => {
    const publisher = producer();
    await publisher.publish(message(0), PATIENTLY);
    const late = outcome(publisher.publish(message(1), { deadlineMs: 200 }));
    // What is scheduled for after the events at hand runs before the timer of the deadline.
    for (const end = performance.now() + 400; performance.now() < end; );
    expect((await late).error).toMatchObject({ name: 'NotAccepted', reason: 'deadline' });
    expect(await idsOn()).toEqual(['off_0']);
  });

  it('says not accepted within the deadline when somebody is there who never answers', async () => {
    const { door, behind } = await behindDoor({ deadlineMs: 1_000 });
    door.mute();
    const { error, ms } = await outcome(behind.publish(message(1)));
    expect(error).toMatchObject({ name: 'NotAccepted', reason: 'deadline' });
    expect(ms).toBeLessThan(SOON_AFTER_A_SECOND);
  });

  it('says not accepted at once when Kafka refuses the topic before any request with the message was written', async () => {
    const publisher = producer({}, { ...test.handle(), names: new Names('no/name/of/a/topic/') });
    const { error } = await outcome(publisher.publish(message(1)));
    expect(error).toMatchObject({ name: 'NotAccepted', reason: 'refused' });
  });

  it('says outcome unknown within the deadline when Kafka goes away with a message in its hands', async () => {
    const { door, behind } = await behindDoor({ deadlineMs: 1_000 });
    await behind.publish(message(1), PATIENTLY);
    door.mute();
    const { error, ms } = await outcome(behind.publish(message(2)));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(ms).toBeLessThan(SOON_AFTER_A_SECOND);
  });

  it('answers everybody at the standard deadline, and works again when Kafka is back', async () => {
    const { door, behind } = await behindDoor(PRODUCER_LIMITS);
    await behind.publish(message(0), PATIENTLY);
    door.shut();
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, n) => outcome(behind.publish(message(n)))));
    for (const { error, ms } of outcomes) {
      expect(error).toBeInstanceOf(Error);
      // A send that Kafka never answers is given up after fifteen seconds.
      expect(ms).toBeLessThan(2 * PRODUCER_LIMITS.deadlineMs);
    }
    door.open();
    await until(() => behind.publish(message(201, 'off_back')));
    expect(await idsOn()).toContain('off_back');
  });

  it('refuses at once when Kafka has been away for long, until it is back', async () => {
    const { door, behind } = await behindDoor({ deadlineMs: 2_000, refuseAfterMs: 500 });
    door.shut();
    await until(() => expect(behind.publish(message(1))).rejects.toMatchObject({ reason: 'away' }));
    const { error } = await outcome(behind.publish(message(2)));
    // Not `deadline`: it has not waited for Kafka.
    expect(error).toMatchObject({ reason: 'away' });
    door.open();
    await until(() => behind.publish(message(3)));
  });

  it('takes only so many at a time; a slot at Kafka stays taken after its caller was answered', async () => {
    const { door, behind } = await behindDoor({ inFlight: 10, deadlineMs: 500 });
    await behind.publish(message(0), PATIENTLY);
    door.mute();
    const first = await Promise.all(Array.from({ length: 12 }, (_, n) => outcome(behind.publish(message(n)))));
    const full = first.filter(({ error }) => error instanceof NotAccepted && error.reason === 'full');
    expect(full).toHaveLength(2);
    expect(first.filter(({ error }) => error instanceof OutcomeUnknown)).toHaveLength(10);
    await expect(behind.publish(message(13))).rejects.toMatchObject({ reason: 'full' });
    door.open();
    await until(() => behind.publish(message(14)));
  });

  it('refuses a message that is too large by itself, and the others go through', async () => {
    const publisher = producer({ messageBytes: 1_000 });
    const large = { ...message(1), value: 'x'.repeat(2_000) };
    const [refused] = await Promise.allSettled([publisher.publish(large), publisher.publish(message(2))]);
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(MessageTooLarge) });
    expect(await idsOn()).toEqual(['off_2']);
  });

  it('keeps the order of messages under one key that are awaited one by one', async () => {
    const publisher = producer();
    for (let n = 0; n < 50; n += 1) await publisher.publish(message(n, 'off_same'));
    const found = await test.rawMessagesOf('offset.requested');
    expect(found.map(({ value }) => JSON.parse(String(value)).n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it('keeps the order of messages under one key while answers are lost, with one request at a time', async () => {
    const { door, behind } = await behindDoor({ requests: 1, batchMessages: 10 });
    let confirmed = 0;
    const sent = Array.from({ length: 2_000 }, async (_, n) => {
      await behind.publish(message(n, 'off_same'));
      confirmed += 1;
      if (confirmed % 200 === 0) door.loseAnswers();
    });
    await Promise.all(sent);
    const numbers = (await test.rawMessagesOf('offset.requested')).map(({ value }) => JSON.parse(String(value)).n);
    expect(numbers.length).toBeGreaterThan(2_000);
    const latest = [...new Set(numbers.reverse())].reverse();
    expect(latest).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
  });
});
