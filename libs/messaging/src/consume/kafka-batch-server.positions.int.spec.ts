import { withAdmin } from '../admin/admin.js';
import { topicEnds } from '../admin/positions.js';
import { type Handle, numbersOf, SHORT, TestBench } from '../testing/batch-server.js';
import { requestEvent, until } from '../testing/kafka.js';
import type { ConsumedRange } from './consume-batch.js';
import type { FindStartPositions } from './start-positions.js';

const KEY = 'off_same';

describe('a Kafka batch server whose positions are stored elsewhere', () => {
  let bench: TestBench;
  let handled: number[];
  const handle: Handle = (batch) => void handled.push(...numbersOf(batch));

  beforeEach(async () => {
    bench = await TestBench.make();
    handled = [];
  });
  afterEach(() => bench.close());

  /** Publishes numbers to the partition of the key. @returns the partition */
  const publish = async (...numbers: number[]): Promise<number> => {
    for (const n of numbers) await bench.publisher.publish(requestEvent(n, KEY));
    const ends = await topicEnds(bench.handle(), 'offset.requested');
    return ends.find(({ end }) => end > 0n)?.partition ?? -1;
  };
  const always =
    (start: bigint): FindStartPositions =>
    async (_, partitions) =>
      new Map(partitions.map((partition) => [partition, start]));

  it('begins at the start position, below or above the committed one', async () => {
    const assigned = new Set<number>();
    const findStartPositions: FindStartPositions = async (topic, partitions) => {
      for (const partition of partitions) assigned.add(partition);
      return always(2n)(topic, partitions);
    };
    await publish(0, 1, 2, 3, 4, 5);
    const first = await bench.start(handle, { findStartPositions });
    await bench.drained();
    await first.close();
    expect(handled).toEqual([2, 3, 4, 5]);
    expect([...assigned].sort()).toEqual([0, 1, 2]);
    handled = [];
    await bench.start(handle, { findStartPositions: always(4n) });
    await until(() => expect(handled).toEqual([4, 5]));
    await publish(6);
    await until(() => expect(handled).toEqual([4, 5, 6]));
  });

  it('handles nothing before the start positions are known, and stays in its group meanwhile', async () => {
    await publish(0, 1, 2, 3);
    const first = await bench.start(handle);
    await bench.drained();
    await first.close();
    expect(handled).toEqual([0, 1, 2, 3]);
    await publish(4, 5);
    handled = [];
    const known = Promise.withResolvers<void>();
    let refusals = 0;
    const app = await bench.start(handle, {
      times: SHORT,
      findStartPositions: async (topic, partitions) => {
        refusals += 1;
        if (refusals < 3) throw new Error('Messages are gone.');
        await known.promise;
        return always(1n)(topic, partitions);
      },
    });
    await until(() => expect(refusals).toBe(3));
    expect(bench.times('nothing is consumed until the start positions are known')).toBe(2);
    expect(app.server.consuming).toBe(false);
    expect(handled).toEqual([]);
    known.resolve();
    await until(() => expect(handled).toEqual([1, 2, 3, 4, 5]));
    expect(app.server.consuming).toBe(true);
    await bench.drained();
    expect(bench.joins()).toBe(2);
  });

  it('stores a position before it is committed to Kafka, retries until that works, and includes dead letters', async () => {
    const reports: ConsumedRange[] = [];
    let away = true;
    await bench.start(
      (batch) => {
        if (numbersOf(batch).includes(3)) throw new Error('poison');
        return handle(batch);
      },
      {
        maxBatch: 2,
        storePosition: async (progress) => {
          reports.push(progress);
          if (away) throw new Error('The database is away.');
          return undefined;
        },
      },
    );
    const partition = await publish(0, 1);
    await until(() => expect(reports.length).toBeGreaterThan(2));
    expect(handled.filter((n) => n === 0)).toHaveLength(1);
    expect(await bench.lag()).toBe(2);
    away = false;
    await bench.drained();
    reports.length = 0;
    await publish(2, 3);
    await bench.drained();
    expect(await bench.deadLetters()).toHaveLength(1);
    expect(reports.at(0)).toMatchObject({ topic: 'offset.requested', partition, from: 2n });
    expect(reports.at(-1)).toMatchObject({ next: 4n });
    for (const [place, { from }] of reports.entries()) if (place > 0) expect(from).toBe(reports[place - 1]?.next);
  });

  it('handles messages again on request, and commits to Kafka once they are stored', async () => {
    const reports: ConsumedRange[] = [];
    const lags: number[] = [];
    await bench.start(handle, {
      storePosition: async (progress) => {
        reports.push(progress);
        lags.push(await bench.lag());
        return reports.length === 1 ? 'again' : undefined;
      },
    });
    await publish(0);
    await bench.drained();
    expect(handled).toEqual([0, 0]);
    expect(reports[1]).toEqual(reports[0]);
    expect(lags).toEqual([1, 1]);
  });

  it('finds the start position again when messages were deleted before they were consumed', async () => {
    const partition = await publish(0, 1, 2, 3, 4);
    const topic = bench.handle().names.topic('offset.requested');
    await withAdmin(bench.handle(), async (admin) => {
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: '3' }] });
    });
    const accepted = Promise.withResolvers<void>();
    let calls = 0;
    const reports: ConsumedRange[] = [];
    await bench.start(handle, {
      findStartPositions: async (name, partitions) => {
        calls += 1;
        if (calls === 2) await accepted.promise;
        return always(1n)(name, partitions);
      },
      storePosition: async (progress) => void reports.push(progress),
    });
    await until(() => expect(calls).toBe(2));
    expect(handled).toEqual([]);
    accepted.resolve();
    await until(() => expect(handled).toEqual([3, 4]));
    await bench.drained();
    expect(reports[0]).toMatchObject({ partition, from: 1n });
  });
});
