import { setInterval as every } from 'node:timers/promises';
import { until } from '../test-kafka.js';
import { TestBench, wish } from './test-bench.js';
import { CommitsWatch } from './test-commits.js';
import { type Behaviour, MemberProcess } from './test-member.js';

describe('a member whose process is suspended for longer than its session, and continued', () => {
  let bench: TestBench;
  let members: MemberProcess[];
  let published: number;

  const member = (behaviour?: Behaviour) => {
    const started = new MemberProcess(bench.brokers, bench.prefix, behaviour);
    members.push(started);
    return started;
  };
  const publish = (count: number) => bench.publishAll(Array.from({ length: count }, () => wish(published++)));
  const handledByAny = () => new Set(members.flatMap((one) => one.handled()));
  const all = () => new Set(Array.from({ length: published }, (_, n) => n));
  const streamWhile = async (work: Promise<void>) => {
    let over = false;
    const stream = async () => {
      for await (const _ of every(25)) {
        if (over) return;
        await publish(10);
      }
    };
    await Promise.all([stream(), work.finally(() => (over = true))]);
  };

  beforeEach(async () => {
    bench = await TestBench.make();
    members = [];
    published = 0;
  });
  afterEach(async () => {
    await Promise.all(members.map((one) => one.end()));
    await bench.close();
  });

  it('joins again by itself under a steady stream: nothing lost, no position moved back', async () => {
    const commits = new CommitsWatch(bench.handle());
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
    await streamWhile(story());
    await bench.drained();
    await commits.end();
    expect(handledByAny()).toEqual(all());
    expect(commits.backwards).toEqual([]);
    expect(commits.readings).toBeGreaterThan(100);
    expect(await bench.groupMembers()).toHaveLength(2);
    expect(members.map(({ running }) => running)).toEqual([true, true]);
  });

  it('hands nothing to its handler that it fetched before: another has done it', async () => {
    await publish(60);
    const commits = new CommitsWatch(bench.handle());
    const one = member('waits-with-its-first');
    await until(() => expect(one.told('begun')).toHaveLength(1));
    one.pause();
    const two = member();
    await until(() => expect(new Set(two.handled())).toEqual(all()));
    await bench.drained();
    one.goOn();
    one.continue();
    await until(async () => {
      await publish(10);
      expect(Math.max(...one.handled())).toBeGreaterThanOrEqual(60);
    });
    await bench.drained();
    await commits.end();
    expect(one.handled().filter((n) => n < 60)).toEqual(one.told('begun')[0]?.numbers);
    expect(handledByAny()).toEqual(all());
    expect(commits.backwards).toEqual([]);
  });
});
