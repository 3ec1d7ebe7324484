import { endsOf } from '../admin/positions.js';
import { withAdmin } from '../admin/with-admin.js';
import { until } from '../test-kafka.js';
import type { StartsOf } from './assigned-starts.js';
import type { Progress } from './report-progress.js';
import type { Handle } from './test-app.js';
import { SHORT, TestBench, wish } from './test-bench.js';

const KEY = 'off_same';

describe('a Kafka batch server whose positions are kept elsewhere', () => {
  let bench: TestBench;
  let handled: number[];
  const handle: Handle = ({ messages }) => void handled.push(...messages.map(({ value }) => value?.n ?? -1));

  beforeEach(async () => {
    bench = await TestBench.make();
    handled = [];
  });
  afterEach(() => bench.close());

  /** Publishes numbers to the one partition of the key. @returns the partition */
  const publish = async (...numbers: number[]): Promise<number> => {
    for (const n of numbers) await bench.publisher.publish(wish(n, KEY));
    const ends = await endsOf(bench.handle(), 'offset.requested');
    return ends.find(({ end }) => end > 0n)?.partition ?? -1;
  };
  const always =
    (start: bigint): StartsOf =>
    async (_, partitions) =>
      new Map(partitions.map((partition) => [partition, start]));

  it('begins below the committed position when told so, above the beginning when nothing is committed', async () => {
    await publish(0, 1, 2, 3, 4, 5);
    const first = await bench.start(handle, { startsOf: always(2n) });
    await bench.drained();
    await first.close();
    expect(handled).toEqual([2, 3, 4, 5]);
    handled = [];
    await bench.start(handle, { startsOf: always(4n) });
    await until(() => expect(handled).toEqual([4, 5]));
    await publish(6);
    await until(() => expect(handled).toEqual([4, 5, 6]));
  });

  it('asks for partitions that are idle, and begins with their next message', async () => {
    const asked = new Set<number>();
    const startsOf: StartsOf = async (topic, partitions) => {
      expect(topic).toBe('offset.requested');
      for (const partition of partitions) asked.add(partition);
      return new Map(partitions.map((partition) => [partition, 0n]));
    };
    await bench.start(handle, { startsOf });
    await until(() => expect([...asked].sort()).toEqual([0, 1, 2]));
    await publish(0);
    await until(() => expect(handled).toEqual([0]));
  });

  it('handles nothing of a batch that is in flight before the start is known, and goes back then', async () => {
    await publish(0, 1, 2, 3);
    const first = await bench.start(handle);
    await bench.drained();
    await first.close();
    expect(handled).toEqual([0, 1, 2, 3]);
    await publish(4, 5);
    handled = [];
    const known = Promise.withResolvers<void>();
    const app = await bench.start(handle, {
      times: SHORT,
      startsOf: async (topic, partitions) => {
        await known.promise;
        return always(1n)(topic, partitions);
      },
    });
    await until(() => expect(bench.joins()).toBe(2));
    expect(app.server.consuming).toBe(false);
    expect(handled).toEqual([]);
    known.resolve();
    await until(() => expect(handled).toEqual([1, 2, 3, 4, 5]));
    expect(app.server.consuming).toBe(true);
    await bench.drained();
    expect(bench.joins()).toBe(2);
  });

  it('waits while the start is refused, however long, and keeps its place in the group', async () => {
    let refusals = 0;
    const app = await bench.start(handle, {
      times: SHORT,
      startsOf: (topic, partitions) => {
        refusals += 1;
        return refusals < 4 ? Promise.reject(new Error('Messages are gone.')) : always(0n)(topic, partitions);
      },
    });
    await publish(0);
    await until(() => expect(refusals).toBe(3));
    expect(handled).toEqual([]);
    expect(app.server.consuming).toBe(false);
    await until(() => expect(handled).toEqual([0]));
    expect(bench.joins()).toBe(1);
    expect(bench.times('nothing is consumed until it is known from where')).toBe(3);
  });

  it('tells its progress before Kafka is told, again until it is stored, and past dead letters', async () => {
    const told: Progress[] = [];
    let away = true;
    await bench.start(
      (batch) => {
        if (batch.messages.some(({ value }) => value?.n === 3)) throw new Error('poison');
        return handle(batch);
      },
      {
        maxBatch: 2,
        onProgress: async (progress) => {
          told.push(progress);
          if (away) throw new Error('The database is away.');
          return undefined;
        },
      },
    );
    const partition = await publish(0, 1);
    await until(() => expect(told.length).toBeGreaterThan(2));
    expect(handled.filter((n) => n === 0)).toHaveLength(1);
    expect(await bench.lag()).toBe(2);
    away = false;
    await bench.drained();
    told.length = 0;
    await bench.publisher.publish(wish(2, KEY));
    await bench.publisher.publish(wish(3, KEY));
    await bench.drained();
    expect(await bench.letters()).toHaveLength(1);
    expect(told.at(0)).toMatchObject({ topic: 'offset.requested', partition, from: 2n });
    expect(told.at(-1)).toMatchObject({ next: 4n });
    for (const [place, { from }] of told.entries()) if (place > 0) expect(from).toBe(told[place - 1]?.next);
  });

  it('hands messages over again where that is asked for, and tells Kafka once they are stored', async () => {
    const told: Progress[] = [];
    const lags: number[] = [];
    const app = await bench.start(handle, {
      onProgress: async (progress) => {
        told.push(progress);
        lags.push(await bench.lag());
        return told.length === 1 ? 'again' : undefined;
      },
    });
    await publish(0);
    await bench.drained();
    expect(handled).toEqual([0, 0]);
    expect(told[1]).toEqual(told[0]);
    expect(lags).toEqual([1, 1]);
    expect(app.server.consuming).toBe(true);
  });

  it('asks again when messages were deleted before they were consumed, and leaves no gap unasked', async () => {
    const partition = await publish(0, 1, 2, 3, 4);
    const topic = bench.handle().names.topic('offset.requested');
    await withAdmin(bench.handle(), async (admin) => {
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: '3' }] });
    });
    const accepted = Promise.withResolvers<void>();
    let asked = 0;
    const told: Progress[] = [];
    await bench.start(handle, {
      startsOf: async (name, partitions) => {
        asked += 1;
        if (asked === 2) await accepted.promise;
        return always(1n)(name, partitions);
      },
      onProgress: async (progress) => void told.push(progress),
    });
    await until(() => expect(asked).toBe(2));
    expect(handled).toEqual([]);
    accepted.resolve();
    await until(() => expect(handled).toEqual([3, 4]));
    await bench.drained();
    expect(told[0]).toMatchObject({ partition, from: 1n });
  });

  it('continues without a gap at a member that joins later', async () => {
    const stored = new Map<number, bigint>();
    const gaps: Progress[] = [];
    const asked: string[] = [];
    const member = (name: string) => ({
      times: { ...SHORT, heartbeatMs: 500 },
      maxBatch: 10,
      startsOf: async (_: string, partitions: readonly number[]) => {
        asked.push(name);
        return new Map(partitions.map((partition) => [partition, stored.get(partition) ?? 0n] as const));
      },
      onProgress: async (progress: Progress) => {
        const before = stored.get(progress.partition) ?? 0n;
        if (before < progress.from) gaps.push(progress);
        if (progress.next > before) stored.set(progress.partition, progress.next);
        return undefined;
      },
    });
    await bench.start(handle, member('one'));
    let published = 0;
    const some = async () => {
      await bench.publishAll(Array.from({ length: 100 }, () => wish(published++)));
    };
    await some();
    await until(() => expect(new Set(handled).size).toBe(published));
    await bench.start(handle, member('two'));
    await until(async () => {
      await some();
      expect(asked).toContain('two');
    });
    await bench.drained();
    expect(new Set(handled).size).toBe(published);
    expect(gaps).toEqual([]);
    const ends = await endsOf(bench.handle(), 'offset.requested');
    expect(ends.map(({ partition }) => stored.get(partition))).toEqual(ends.map(({ end }) => end));
  });
});
