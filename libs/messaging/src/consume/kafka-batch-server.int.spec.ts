import { setTimeout as sleep } from 'node:timers/promises';
import { TransientFault } from '@carbon/faults';
import { currentContext } from '@carbon/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { committedPositions, endsOf } from '../admin/positions.js';
import type { ReceivedBatch } from '../pipeline/received.js';
import { eventMessage, type WireMessage } from '../publish/outgoing-message.js';
import { SelfClockedProducer } from '../publish/self-clocked-producer.js';
import { Door, SMALL_TOPICS, TestKafka, until } from '../test-kafka.js';
import { type KafkaBatchOptions, KafkaBatchServer } from './kafka-batch-server.js';
import { type Handle, type Small, startTestApp, type TestApp } from './test-app.js';

const FAST = { attempts: 3, between: { firstMs: 5, lastMs: 20 }, outage: { firstMs: 5, lastMs: 50 } };
const TIME = '2026-01-01T00:00:00.000Z';
const wish = (n: number, id = `off_${n}`) => {
  return eventMessage(
    'offset.requested.v1',
    { n },
    { id, subject: id, source: '/gateway', time: TIME, requestId: `r-${n}` },
  );
};
const outage = () => new TransientFault('service_unavailable', 'The database is away.');

describe('a Kafka batch server', () => {
  let test: TestKafka;
  let apps: TestApp[] = [];
  let doors: Door[] = [];
  let publisher: SelfClockedProducer;

  beforeEach(async () => {
    // Topics of its own for each test: a name is not free again at once.
    test = new TestKafka();
    await test.create();
    publisher = new SelfClockedProducer(test.handle(), { inFlight: 20_000 });
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    for (const door of doors) door.close();
    apps = [];
    doors = [];
    await publisher.close();
    await test.remove();
  });

  const start = async (handle: Handle, options: Partial<KafkaBatchOptions> = {}, kafka = test.handle()) => {
    const app = await startTestApp(kafka, handle, { retry: FAST, ...options });
    apps.push(app);
    return app;
  };
  const newDoor = async () => {
    const door = await new Door().ready();
    doors.push(door);
    return door;
  };
  const publishAll = (messages: readonly WireMessage[]) => {
    return Promise.all(messages.map((message) => publisher.forward(message)));
  };
  const lag = async () => {
    const ends = await endsOf(test.handle(), 'offset.requested');
    const committed = await committedPositions(test.handle(), 'offsets', 'offset.requested');
    return ends.reduce((sum, { end }, partition) => sum + Number(end - (committed[partition]?.position ?? 0n)), 0);
  };
  const drained = (within?: number) => until(async () => expect(await lag()).toBe(0), within);
  const letters = () => test.rawMessagesOf('offset.requested.dead-letter');
  const times = (message: string) => test.log.filter((line) => line.message === message).length;
  const joins = () => {
    const joined = test.log.filter(({ message }) => message === 'Consumer has joined the group');
    return joined.filter(({ fields }) => 'group' in fields && fields.group === `${test.prefix}offsets`).length;
  };

  it('handles all but two of 10,000 through transient faults, and dead-letters those two as they came', async () => {
    const handled = new Map<number, number>();
    let calls = 0;
    await start(({ messages }) => {
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
    await publishAll([...good.slice(0, 4_000), broken, ...good.slice(4_000)]);
    await drained(30_000);

    expect(handled.size).toBe(9_999);
    expect(handled.has(5_000)).toBe(false);
    const found = await letters();
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
    expect(joins()).toBe(1);
  });

  it('lets the message behind a poison one flow', async () => {
    const handled: number[] = [];
    await start(({ messages }) => {
      if (messages.some(({ value }) => value?.n === 1)) throw new Error('poison');
      handled.push(...messages.map(({ value }) => value?.n ?? -1));
    });
    for (const n of [0, 1, 2]) await publisher.publish(wish(n, 'off_same'));
    await until(() => expect(handled).toEqual([0, 2]), 5_000);
    await drained();
    expect(await letters()).toHaveLength(1);
  });

  it('dead-letters each kind of unfit message with its reason, and what the handler rejects with its', async () => {
    const handled: unknown[] = [];
    await start(({ messages }) => {
      handled.push(...messages.map(({ key }) => key));
      return messages
        .filter(({ key }) => key === 'off_rejected')
        .map(({ position }) => ({ position, code: 'not_ours', detail: 'of another account' }));
    });
    const plain = wish(1);
    await publishAll([
      { ...plain, key: 'off_good' },
      { ...plain, key: 'off_rejected' },
      { ...plain, key: null },
      { ...plain, key: 'off_null', value: null },
      { ...plain, key: 'off_word', value: 'null' },
      { ...plain, key: 'off_shape', value: '{"n":"1"}' },
      { ...plain, key: 'off_type', headers: { ce_type: 'offset.requested.v9' } },
      { ...plain, key: 'off_proto', headers: { ce_type: 'constructor' } },
    ]);
    await drained();
    const reasons = (await letters()).map(({ key, headers }) => [String(key), String(headers?.['x-reason-code'])]);
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

  it('waits through an outage where it is: nothing dead-lettered, no rebalance, nothing lost', async () => {
    const began = performance.now();
    const handled = new Set<number>();
    await start(
      ({ messages }) => {
        if (performance.now() - began < 9_000) throw outage();
        for (const { value } of messages) handled.add(value?.n ?? -1);
      },
      { times: { sessionMs: 6_000, heartbeatMs: 1_000 } },
    );
    await publishAll(Array.from({ length: 100 }, (_, n) => wish(n)));
    await until(() => expect(handled.size).toBe(100));
    await drained();
    expect(await letters()).toEqual([]);
    expect(joins()).toBe(1);
  });

  it('does not get a batch again because its handler is slower than the session', async () => {
    let calls = 0;
    await start(
      async () => {
        calls += 1;
        await sleep(8_000);
      },
      { times: { sessionMs: 6_000, heartbeatMs: 1_000 } },
    );
    await publisher.publish(wish(1));
    await drained(20_000);
    expect(calls).toBe(1);
    expect(joins()).toBe(1);
  });

  it('gives what was not committed to the next member when one goes without finishing', async () => {
    const door = await newDoor();
    const seen: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stuck = await start(
      async ({ messages }) => {
        seen.push(`one ${messages.length}`);
        await released;
      },
      { times: { sessionMs: 6_000, heartbeatMs: 1_000 } },
      test.handle(door.sockets),
    );
    await publisher.publish(wish(1));
    await until(() => expect(seen).toEqual(['one 1']));
    door.mute();
    await start(({ messages }) => seen.push(`two ${messages.length}`), { times: { sessionMs: 6_000 } });
    await until(() => expect(seen).toEqual(['one 1', 'two 1']), 20_000);
    await drained();
    release();
    await until(() => expect(stuck.server.consuming).toBe(false));
  });

  it('commits what was finished before it stopped, so that the next member does not do it again', async () => {
    let calls = 0;
    let release = () => {};
    const finished = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = await start(async () => {
      calls += 1;
      await finished;
    });
    await publisher.publish(wish(1));
    await until(() => expect(calls).toBe(1));
    const closing = first.close();
    release();
    await closing;
    expect(await lag()).toBe(0);
  });

  it('starts with Kafka away, consumes when it comes, and again after it was gone', async () => {
    const door = await newDoor();
    door.shut();
    const handled: number[] = [];
    const app = await start(
      ({ messages }) => handled.push(...messages.map(({ value }) => value?.n ?? -1)),
      {},
      test.handle(door.sockets),
    );
    expect(app.server.consuming).toBe(false);
    door.open();
    await publisher.publish(wish(1));
    await until(() => expect(handled).toEqual([1]));
    expect(app.server.consuming).toBe(true);
    door.shut();
    await sleep(3_000);
    door.open();
    await publisher.publish(wish(2));
    await until(() => expect(handled).toContain(2), 30_000);
    expect(app.fatal).toEqual([]);
  });

  it('hands a message to its handler with the request it came from, and in its context', async () => {
    const seen: unknown[] = [];
    await start(({ messages: [message] }) => {
      seen.push({ message, current: currentContext() });
    });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { ...wish(7).headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    await publisher.publish({ ...wish(7), headers });
    await until(() => expect(seen).toHaveLength(1));
    expect(seen[0]).toMatchObject({
      message: {
        key: 'off_7',
        value: { n: 7 },
        type: 'offset.requested.v1',
        position: 0n,
        timestamp: expect.any(Date),
        context: { requestId: 'r-7', traceId },
      },
      current: { requestId: 'r-7', traceId },
    });
  });

  it('sees the error a handler threw, whatever filters the application has for HTTP', async () => {
    @Catch()
    class HttpFilter implements ExceptionFilter {
      catch(_error: unknown, host: ArgumentsHost) {
        host.switchToHttp().getResponse().status(500);
      }
    }
    let failing = true;
    const handled: number[] = [];
    const app = await startTestApp(
      test.handle(),
      ({ messages }: ReceivedBatch<Small>) => {
        if (failing) throw outage();
        handled.push(...messages.map(({ value }) => value?.n ?? -1));
      },
      { retry: FAST },
      (http) => http.useGlobalFilters(new HttpFilter()),
    );
    apps.push(app);
    await publisher.publish(wish(1));
    await until(() => expect(times('a handler waits for an outage to pass')).toBeGreaterThan(2));
    expect(test.log.find(({ message }) => message.startsWith('a handler waits'))?.fields).toMatchObject({
      err: { name: 'TransientFault' },
    });
    failing = false;
    await until(() => expect(handled).toEqual([1]));
    expect(await letters()).toEqual([]);
  });

  it('refuses to start where Nest would hide what a handler throws', async () => {
    const app = await startTestApp(test.handle(), () => {});
    apps.push(app);
    const server = new KafkaBatchServer(test.handle(), { groupId: 'offsets', topics: SMALL_TOPICS });
    const hybrid = app.app.connectMicroservice<MicroserviceOptions>({ strategy: server }, { inheritAppConfig: true });
    await expect(hybrid.listen()).rejects.toThrow('connectKafka()');
  });

  it('refuses to start without a handler for a topic it is to take', async () => {
    const starting = startTestApp(test.handle(), () => {}, { handles: ['offset.requested', 'asset.published'] });
    await expect(starting).rejects.toThrow('No handler for asset.published.');
  });
});
