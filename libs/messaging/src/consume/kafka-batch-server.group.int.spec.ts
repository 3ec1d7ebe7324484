import { setTimeout as sleep } from 'node:timers/promises';
import type { ISocketFactory } from 'kafkajs';
import { noDelaySockets } from '../kafka/no-delay-sockets.js';
import { until } from '../test-kafka.js';
import type { Handle } from './test-app.js';
import { outage, SHORT, TestBench, wish } from './test-bench.js';

/** The key of the request that asks for the coordinator of a group. */
const FIND_COORDINATOR = 10;

describe('a Kafka batch server in its group', () => {
  let bench: TestBench;

  beforeEach(async () => {
    bench = await TestBench.make();
  });
  afterEach(() => bench.close());

  it('waits through an outage where it is: nothing dead-lettered, no rebalance, nothing lost', async () => {
    const began = performance.now();
    const handled = new Set<number>();
    await bench.start(
      ({ messages }) => {
        if (performance.now() - began < 9_000) throw outage();
        for (const { value } of messages) handled.add(value?.n ?? -1);
      },
      { times: SHORT },
    );
    await bench.publishAll(Array.from({ length: 100 }, (_, n) => wish(n)));
    await until(() => expect(handled.size).toBe(100));
    await bench.drained();
    expect(await bench.letters()).toEqual([]);
    expect(bench.joins()).toBe(1);
  });

  it('does not get a batch again because its handler is slower than the session', async () => {
    let calls = 0;
    await bench.start(
      async () => {
        calls += 1;
        await sleep(8_000);
      },
      { times: SHORT },
    );
    await bench.publisher.publish(wish(1));
    await bench.drained();
    expect(calls).toBe(1);
    expect(bench.joins()).toBe(1);
  });

  it('gives what was not committed to the next member when one goes without finishing', async () => {
    const door = await bench.door();
    const seen: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stuck = await bench.start(
      async ({ messages }) => {
        seen.push(`one ${messages.length}`);
        await released;
      },
      { times: SHORT },
      bench.handle(door.sockets),
    );
    await bench.publisher.publish(wish(1));
    await until(() => expect(seen).toEqual(['one 1']));
    door.mute();
    await bench.start(({ messages }) => seen.push(`two ${messages.length}`), { times: SHORT });
    await until(() => expect(seen).toEqual(['one 1', 'two 1']));
    await bench.drained();
    release();
    await until(() => expect(stuck.server.consuming).toBe(false));
  });

  it('commits what was finished before it stopped, so that the next member does not do it again', async () => {
    let calls = 0;
    let release = () => {};
    const finished = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = await bench.start(async () => {
      calls += 1;
      await finished;
    });
    await bench.publisher.publish(wish(1));
    await until(() => expect(calls).toBe(1));
    const closing = first.close();
    release();
    await closing;
    expect(await bench.lag()).toBe(0);
  });

  it('leaves nothing behind when it is stopped in the middle of its start', async () => {
    const app = await bench.start(() => {});
    await app.close();
    expect(await bench.groupMembers()).toEqual([]);
    expect(app.server.consuming).toBe(false);
  });

  it('shares its partitions with a member that comes in the middle, and nothing is left out', async () => {
    const handled = new Map<number, string>();
    const by = (name: string): Handle => {
      return async ({ messages }) => {
        await sleep(20);
        for (const { value } of messages) handled.set(value?.n ?? -1, name);
      };
    };
    const times = { ...SHORT, heartbeatMs: 500 };
    const busy = new Set<string>();
    let published = 0;
    const publishUntil = (who: string) => {
      return until(async () => {
        await bench.publishAll(Array.from({ length: 100 }, () => wish(published++)));
        for (const name of handled.values()) busy.add(name);
        expect([...busy]).toContain(who);
      });
    };
    await bench.start(by('one'), { maxBatch: 20, times });
    await publishUntil('one');
    await bench.start(by('two'), { maxBatch: 20, times });
    await publishUntil('two');
    await bench.drained();
    expect(handled.size).toBe(published);
    expect(await bench.letters()).toEqual([]);
  });

  it('starts with Kafka away, consumes when it comes, and again after it was gone', async () => {
    const door = await bench.door();
    door.shut();
    const handled: number[] = [];
    const app = await bench.start(
      ({ messages }) => handled.push(...messages.map(({ value }) => value?.n ?? -1)),
      { times: SHORT },
      bench.handle(door.sockets),
    );
    expect(app.server.consuming).toBe(false);
    door.open();
    await bench.publisher.publish(wish(1));
    await until(() => expect(handled).toEqual([1]));
    expect(app.server.consuming).toBe(true);
    door.shut();
    await until(() => expect(app.server.consuming).toBe(false));
    door.open();
    await bench.publisher.publish(wish(2));
    await until(() => expect(handled).toContain(2));
    expect(app.fatal).toEqual([]);
  });

  it('joins again when no broker could say who coordinates the group', async () => {
    let isCutting = true;
    const sockets: ISocketFactory = (to) => {
      const socket = noDelaySockets(to);
      const write = socket.write.bind(socket) as (data: Buffer) => boolean;
      const cut = (data: Buffer) => {
        socket.destroy();
        return data.length > 0;
      };
      // A request begins with its length, of four bytes, and the key of its kind, of two.
      socket.write = (data: Buffer) =>
        isCutting && data.readInt16BE(4) === FIND_COORDINATOR ? cut(data) : write(data);
      return socket;
    };
    const handled: number[] = [];
    const handle: Handle = ({ messages }) => handled.push(...messages.map(({ value }) => value?.n ?? -1));
    const app = await bench.start(handle, { times: SHORT }, bench.handle(sockets));
    await until(() => expect(bench.times('the consumer crashed')).toBeGreaterThan(0));
    isCutting = false;
    await bench.publisher.publish(wish(1));
    await until(() => expect(handled).toEqual([1]));
    expect(app.fatal).toEqual([]);
  });
});
