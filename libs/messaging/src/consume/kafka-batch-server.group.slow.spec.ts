import { setInterval as every, setTimeout as sleep } from 'node:timers/promises';
import { withAdmin } from '../admin/admin.js';
import { readCommitted, topicEnds } from '../admin/positions.js';
import { numbersOf, outage, SHORT, TestBench } from '../testing/batch-server.js';
import { requestEvent, until } from '../testing/kafka.js';
import { MemberProcess } from '../testing/member.js';
import type { ConsumedRange } from './consume-batch.js';

let bench: TestBench;
let published: number;

beforeEach(async () => {
  bench = await TestBench.make();
  published = 0;
});
afterEach(() => bench.close());

const publish = (count: number) => bench.publishAll(Array.from({ length: count }, () => requestEvent(published++)));
const all = () => new Set(Array.from({ length: published }, (_, n) => n));

describe('a member of a group', () => {
  it('stays a member while its handler waits for an outage, or works, for longer than the session', async () => {
    const began = performance.now();
    const handled: number[] = [];
    await bench.start(
      async (batch) => {
        if (performance.now() - began < 9_000) throw outage();
        if (handled.length === 0) await sleep(8_000);
        handled.push(...numbersOf(batch));
      },
      { times: SHORT },
    );
    await publish(100);
    await until(() => expect(new Set(handled)).toEqual(all()));
    await bench.drained();
    expect(handled).toHaveLength(100);
    expect(await bench.deadLetters()).toEqual([]);
    expect(bench.joins()).toBe(1);
  });

  it('shares its partitions with a later member: no message is lost, and no range of positions is missing', async () => {
    const handled = new Set<number>();
    const stored = new Map<number, bigint>();
    const gaps: ConsumedRange[] = [];
    const busy = new Set<string>();
    const start = (name: string) =>
      bench.start(
        async (batch) => {
          await sleep(20);
          busy.add(name);
          for (const n of numbersOf(batch)) handled.add(n);
        },
        {
          times: { ...SHORT, heartbeatMs: 500 },
          maxBatch: 10,
          findStartPositions: async (_, partitions) =>
            new Map(partitions.map((partition) => [partition, stored.get(partition) ?? 0n] as const)),
          storePosition: async (progress) => {
            const before = stored.get(progress.partition) ?? 0n;
            if (before < progress.from) gaps.push(progress);
            if (progress.next > before) stored.set(progress.partition, progress.next);
            return undefined;
          },
        },
      );
    for (const name of ['one', 'two']) {
      await start(name);
      await until(async () => {
        await publish(100);
        expect([...busy]).toContain(name);
      });
    }
    await bench.drained();
    expect(handled).toEqual(all());
    expect(gaps).toEqual([]);
    const ends = await topicEnds(bench.handle(), 'offset.requested');
    expect(ends.map(({ partition }) => stored.get(partition))).toEqual(ends.map(({ end }) => end));
  });
});

describe('a member whose process is suspended for longer than its session, and continued', () => {
  let members: MemberProcess[];

  beforeEach(() => {
    members = [];
  });
  afterEach(() => Promise.all(members.map((one) => one.close())));

  const member = (behaviour?: 'waits-with-its-first') => {
    const started = new MemberProcess(bench.brokers, bench.prefix, behaviour);
    members.push(started);
    return started;
  };
  const handledByAny = () => new Set(members.flatMap((one) => one.handled()));

  /**
   * Reads the committed positions continuously.
   * @returns a function that stops and returns the positions that moved back
   */
  const watchCommits = () => {
    const stop = new AbortController();
    const backwards: string[] = [];
    const last: bigint[] = [];
    const kafka = bench.handle();
    const watching = withAdmin(kafka, async (admin) => {
      for await (const _ of every(25)) {
        for (const { partition, position = 0n } of await readCommitted(admin, kafka, 'offsets', 'offset.requested')) {
          if (position < (last[partition] ?? 0n)) backwards.push(`${partition}: ${last[partition]} to ${position}`);
          last[partition] = position;
        }
        if (stop.signal.aborted) return backwards;
      }
      return backwards;
    });
    return () => {
      stop.abort();
      return watching;
    };
  };

  it('joins again by itself under a steady load: no message is lost, and no position moves back', async () => {
    const endOfWatch = watchCommits();
    const [one, two] = [member(), member()];
    const story = async () => {
      await until(() => {
        expect(new Set([...one.partitions(), ...two.partitions()]).size).toBe(3);
        expect([one, two].every((either) => either.partitions().length > 0)).toBe(true);
      });
      one.pause();
      const [ofOne, ofTwo] = [one.reports.length, two.reports.length];
      await until(() => expect(two.partitions(ofTwo)).toEqual([0, 1, 2]));
      const next = published;
      one.continue();
      await until(() => expect(Math.max(...one.handled(ofOne))).toBeGreaterThanOrEqual(next));
    };
    let isOver = false;
    const stream = async () => {
      for await (const _ of every(25)) {
        if (isOver) return;
        await publish(10);
      }
    };
    await Promise.all([stream(), story().finally(() => (isOver = true))]);
    await bench.drained();
    expect(await endOfWatch()).toEqual([]);
    expect(handledByAny()).toEqual(all());
    expect(await bench.groupMembers()).toHaveLength(2);
    expect(members.map(({ running }) => running)).toEqual([true, true]);
  });

  it('passes nothing to its handler that it fetched before the suspension', async () => {
    await publish(60);
    const endOfWatch = watchCommits();
    const one = member('waits-with-its-first');
    await until(() => expect(one.reported('begun')).toHaveLength(1));
    one.pause();
    const two = member();
    await until(() => expect(new Set(two.handled())).toEqual(all()));
    await bench.drained();
    one.resume();
    one.continue();
    await until(async () => {
      await publish(10);
      expect(Math.max(...one.handled())).toBeGreaterThanOrEqual(60);
    });
    await bench.drained();
    expect(await endOfWatch()).toEqual([]);
    expect(one.handled().filter((n) => n < 60)).toEqual(one.reported('begun')[0]?.numbers);
    expect(handledByAny()).toEqual(all());
  });
});
