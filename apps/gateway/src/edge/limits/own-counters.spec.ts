import fc from 'fast-check';
import { OwnCounters } from './own-counters.js';

const SECOND = 1_000_000;

function countersAt(begun: number, most = 100) {
  let now = begun;
  const counters = new OwnCounters({ most, now: () => now });
  const pass = (seconds: number) => {
    now += seconds * SECOND;
  };
  return { counters, pass };
}

/** How many of so many requests at once are admitted. */
function admitted(counters: OwnCounters, bucket: string, limit: { perSecond: number; burst: number }, asked = 1_000) {
  return Array.from({ length: asked }, () => counters.take(bucket, limit)).filter((taken) => taken.admitted).length;
}

const LIMIT = { perSecond: 10, burst: 20 };

describe('the process’s own counters', () => {
  it('begin with a quarter of the burst and fill from there, so that a restart gives nobody a burst again', () => {
    const { counters, pass } = countersAt(0);
    expect(admitted(counters, 'a', LIMIT)).toBe(5);
    pass(1);
    expect(admitted(counters, 'b', LIMIT)).toBe(15);
    pass(10);
    expect(admitted(counters, 'c', LIMIT)).toBe(20);
    expect(admitted(countersAt(0).counters, 'small', { perSecond: 0.1, burst: 3 })).toBe(1);
  });

  it('give a caller who restarts the process at will no more than a quarter of the burst each time', () => {
    const restarts = Array.from({ length: 50 }, () => admitted(countersAt(0).counters, 'a', LIMIT));
    expect(Math.max(...restarts)).toBe(5);
  });

  it('count callers apart', () => {
    const { counters, pass } = countersAt(0);
    pass(100);
    expect([admitted(counters, 'a', LIMIT), admitted(counters, 'b', LIMIT), admitted(counters, 'a', LIMIT)]).toEqual([
      20, 20, 0,
    ]);
  });

  it('never hold more buckets than they may, and forget those that are full again', () => {
    const { counters, pass } = countersAt(0, 50);
    pass(100);
    for (let caller = 0; caller < 500; caller += 1) counters.take(`${caller}`, LIMIT);
    expect(counters.size).toBe(50);
    pass(3);
    for (let caller = 500; caller < 560; caller += 1) counters.take(`${caller}`, LIMIT);
    expect(counters.size).toBeLessThanOrEqual(50);
    pass(3);
    for (let caller = 0; caller < 60; caller += 1) {
      counters.take(`x${caller}`, LIMIT);
      pass(3);
    }
    expect(counters.size).toBeLessThanOrEqual(2);
  });

  it('give all callers that find the table full one bucket together, and forget none that is in debt', () => {
    const { counters, pass } = countersAt(0, 3);
    pass(100);
    for (const bucket of ['a', 'b', 'c']) expect(admitted(counters, bucket, LIMIT)).toBe(20);
    expect([admitted(counters, 'd', LIMIT), admitted(counters, 'e', LIMIT)]).toEqual([20, 0]);
    expect(['a', 'b', 'c'].map((bucket) => admitted(counters, bucket, LIMIT))).toEqual([0, 0, 0]);
    pass(2);
    expect([admitted(counters, 'e', LIMIT), admitted(counters, 'f', LIMIT)]).toEqual([20, 20]);
  });

  it('let nobody have more than burst and rate times time by the help of others that fill the table', () => {
    const visits = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 500 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(visits, (steps) => {
        const { counters, pass } = countersAt(0, 3);
        pass(1_000);
        let [seconds, mine] = [0, 0];
        for (const [who, ms] of steps) {
          pass(ms / 1_000);
          seconds += ms / 1_000;
          if (counters.take(`${who}`, LIMIT).admitted && who === 0) mine += 1;
        }
        // Once of its own and once of the common bucket.
        expect(mine).toBeLessThanOrEqual(2 * LIMIT.burst + LIMIT.perSecond * seconds * 2 + 1e-9);
      }),
      { numRuns: 100 },
    );
  });

  it('learn what others know, and go on from there', () => {
    const { counters, pass } = countersAt(0);
    pass(100);
    counters.learn('a', 1.5 * SECOND, counters.time);
    expect(admitted(counters, 'a', LIMIT)).toBe(5);
    const askedAt = counters.time;
    pass(1);
    counters.learn('b', 2 * SECOND, askedAt);
    expect(admitted(counters, 'b', LIMIT)).toBe(10);
  });
});
