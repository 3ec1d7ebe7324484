import fc from 'fast-check';
import { LocalCounters } from './counters.js';
import { depthOf, intervalOf, type Limit, remaining, secondsToNext, take } from './token-bucket.js';

const SECOND = 1_000_000;

describe('a bucket', () => {
  const limits: fc.Arbitrary<Limit> = fc.record({
    perSecond: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.double({ min: 0.01, max: 100, noNaN: true })),
    burst: fc.integer({ min: 1, max: 500 }),
  });

  /** The times of requests in microseconds; `back` moves the clock backwards instead. */
  const arrivals = fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 3_000_000 }),
      back: fc.boolean(),
      times: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 40 },
  );
  type Arrivals = typeof arrivals extends fc.Arbitrary<infer T> ? T : never;

  /** Returns the times at which a bucket in the counters' representation admits requests. */
  function admittedAt(limit: Limit, steps: Readonly<Arrivals>): number[] {
    const admitted: number[] = [];
    let [now, real, fullAt] = [5_000_000_000, 0, 0];
    for (const { after, back, times } of steps) {
      now += back ? -after : after;
      real += back ? 0 : after;
      for (let time = 0; time < times; time += 1) {
        const taken = take(fullAt - now, limit);
        if (taken.admitted) admitted.push(real);
        fullAt = now + taken.debt;
      }
    }
    return admitted;
  }

  /** Returns the maximum of any window above its rate times its time, in one pass with the best start so far. */
  function burstOf({ perSecond }: Limit, admitted: readonly number[]): number {
    let [most, lowest] = [0, Number.POSITIVE_INFINITY];
    for (const [count, at] of admitted.entries()) {
      const level = count - (perSecond * at) / SECOND;
      lowest = Math.min(lowest, level);
      most = Math.max(most, level - lowest + 1);
    }
    return most;
  }

  it.each([
    ['in any window', false],
    ['however often its clock is set back', true],
  ])('never admits more than its burst plus rate times time, %s', (_, mayGoBack) => {
    fc.assert(
      fc.property(limits, arrivals, (limit, steps) => {
        const admitted = admittedAt(
          limit,
          steps.map((step) => ({ ...step, back: mayGoBack && step.back })),
        );
        expect(burstOf(limit, admitted)).toBeLessThanOrEqual(limit.burst + 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['its clock was set back by an hour', 3_600 * SECOND, { perSecond: 10, burst: 5 }],
    ['its limit has become smaller', depthOf({ perSecond: 1, burst: 1_000 }), { perSecond: 10, burst: 2 }],
  ])('is empty and served again one interval later when %s', (_, debt, limit) => {
    expect(take(debt, limit)).toEqual({ admitted: false, debt: depthOf(limit) });
    expect(take(depthOf(limit) - intervalOf(limit), limit).admitted).toBe(true);
  });

  it('keeps no debt of an earlier limit beyond its own', () => {
    let now = 0;
    const counters = new LocalCounters({ maxBuckets: 10, now: () => now });
    now = 3_600 * SECOND;
    const [larger, smaller] = [
      { perSecond: 1, burst: 60 },
      { perSecond: 10, burst: 2 },
    ];
    for (let n = 0; n < 60; n += 1) counters.take('a', larger);
    expect(counters.take('a', smaller).admitted).toBe(false);
    now += intervalOf(smaller);
    expect(counters.take('a', smaller).admitted).toBe(true);
  });

  it('is full after a pause, and then admits its burst at once and no more', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: -1_000_000_000, max: 0 }), (limit, debt) => {
        expect(remaining(debt, limit)).toBeGreaterThanOrEqual(limit.burst);
        const admitted = admittedAt(limit, [{ after: 0, back: false, times: limit.burst + 10 }]);
        expect(admitted).toHaveLength(limit.burst);
      }),
    );
  });

  it('reports how many are left, and the seconds to the next', () => {
    const limit = { perSecond: 0.25, burst: 4 };
    let debt = 0;
    for (const left of [3, 2, 1, 0]) {
      debt = take(debt, limit).debt;
      expect([remaining(debt, limit), secondsToNext(debt, limit)]).toEqual([left, 4]);
    }
    expect([remaining(debt - 1.5 * SECOND, limit), secondsToNext(debt - 1.5 * SECOND, limit)]).toEqual([0, 3]);
    expect(secondsToNext(1, { perSecond: 1_000, burst: 1 })).toBe(1);
  });

  it('admits one more after the reported seconds', () => {
    fc.assert(
      fc.property(limits, fc.double({ min: 0, max: 1, noNaN: true }), (limit, part) => {
        const debt = Math.round(depthOf(limit) * part);
        expect(take(debt - secondsToNext(debt, limit) * SECOND, limit).admitted).toBe(true);
      }),
    );
  });
});

describe('local counters', () => {
  const LIMIT = { perSecond: 10, burst: 20 };

  function countersAt(begun: number, most = 100) {
    let now = begun;
    const counters = new LocalCounters({ maxBuckets: most, now: () => now });
    const pass = (seconds: number) => {
      now += seconds * SECOND;
    };
    return { counters, pass };
  }

  /** Returns how many of a thousand simultaneous requests are admitted. */
  function countAdmitted(counters: LocalCounters, bucket: string, limit: Limit = LIMIT) {
    return Array.from({ length: 1_000 }, () => counters.take(bucket, limit)).filter((taken) => taken.admitted).length;
  }

  it('start with a quarter of the burst, so that a restart gives no caller a burst again', () => {
    const { counters, pass } = countersAt(0);
    expect(countAdmitted(counters, 'a')).toBe(5);
    pass(1);
    expect(countAdmitted(counters, 'b')).toBe(15);
    pass(10);
    expect(countAdmitted(counters, 'c')).toBe(20);
    expect(countAdmitted(countersAt(0).counters, 'small', { perSecond: 0.1, burst: 3 })).toBe(1);
  });

  it('count callers separately', () => {
    const { counters, pass } = countersAt(0);
    pass(100);
    expect(['a', 'b', 'a'].map((bucket) => countAdmitted(counters, bucket))).toEqual([20, 20, 0]);
  });

  it('claim no debt for a caller that only the bucket of all further callers counts', () => {
    const { counters, pass } = countersAt(0, 1);
    pass(100);
    counters.take('known', LIMIT);
    counters.recordDebt('further', depthOf(LIMIT), counters.time);
    expect(counters.debtOf('another', LIMIT)).toBe(0);
    expect(counters.take('another', LIMIT).admitted).toBe(false);
  });

  it('hold a bounded number of buckets, and drop full ones', () => {
    const { counters, pass } = countersAt(0, 50);
    const take = (from: number, to: number, seconds: number) => {
      for (let caller = from; caller < to; caller += 1) {
        counters.take(`${caller}`, LIMIT);
        pass(seconds);
      }
    };
    pass(100);
    take(0, 500, 0);
    expect(counters.size).toBe(50);
    pass(3);
    take(500, 560, 0);
    expect(counters.size).toBeLessThanOrEqual(50);
    pass(3);
    take(600, 660, 3);
    expect(counters.size).toBeLessThanOrEqual(2);
  });

  it('put callers beyond a full table into one bucket, and drop none that is in debt', () => {
    const { counters, pass } = countersAt(0, 3);
    pass(100);
    expect(['a', 'b', 'c', 'd', 'e'].map((bucket) => countAdmitted(counters, bucket))).toEqual([20, 20, 20, 20, 0]);
    expect(['a', 'b', 'c'].map((bucket) => countAdmitted(counters, bucket))).toEqual([0, 0, 0]);
    pass(2);
    expect(['e', 'f'].map((bucket) => countAdmitted(counters, bucket))).toEqual([20, 20]);
  });

  it('keep every caller within its limit while others fill the table', () => {
    const visit = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 500 }));
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 300 }), (visits) => {
        const { counters, pass } = countersAt(0, 3);
        pass(1_000);
        let [seconds, mine] = [0, 0];
        for (const [who, ms] of visits) {
          pass(ms / 1_000);
          seconds += ms / 1_000;
          if (counters.take(`${who}`, LIMIT).admitted && who === 0) mine += 1;
        }
        // Once from its own bucket and once from the shared one.
        expect(mine).toBeLessThanOrEqual(2 * LIMIT.burst + LIMIT.perSecond * seconds * 2 + 1e-9);
      }),
      { numRuns: 100 },
    );
  });

  it('continue from a debt that Redis reported', () => {
    const { counters, pass } = countersAt(0);
    pass(100);
    counters.recordDebt('a', 1.5 * SECOND, counters.time);
    expect(countAdmitted(counters, 'a')).toBe(5);
    const requestedAt = counters.time;
    pass(1);
    counters.recordDebt('b', 2 * SECOND, requestedAt);
    expect(countAdmitted(counters, 'b')).toBe(10);
  });
});
