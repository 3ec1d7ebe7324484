import fc from 'fast-check';
import { depthOf, intervalOf, type Limit, remaining, secondsToNext, take } from './bucket.js';

const limits: fc.Arbitrary<Limit> = fc.record({
  perSecond: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.double({ min: 0.01, max: 100, noNaN: true })),
  burst: fc.integer({ min: 1, max: 500 }),
});

/** When requests come, in microseconds; `back` moves the clock backwards instead. */
const comings = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 3_000_000 }),
    back: fc.boolean(),
    times: fc.integer({ min: 1, max: 40 }),
  }),
  { maxLength: 40 },
);

/** A bucket as the counters keep it: by when it is full. Gives when requests were admitted. */
function admittedAt(limit: Limit, steps: readonly { after: number; back: boolean; times: number }[]): number[] {
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

/** The most that any window has above its rate times its time; in one pass, with the best beginning so far. */
function burstOf({ perSecond }: Limit, admitted: readonly number[]): number {
  let [most, lowest] = [0, Number.POSITIVE_INFINITY];
  for (const [count, at] of admitted.entries()) {
    const level = count - (perSecond * at) / 1_000_000;
    lowest = Math.min(lowest, level);
    most = Math.max(most, level - lowest + 1);
  }
  return most;
}

function neverMore(limit: Limit, admitted: readonly number[]): void {
  expect(burstOf(limit, admitted)).toBeLessThanOrEqual(limit.burst + 1e-6);
}

describe('a bucket', () => {
  it('never gives more than its burst and its rate times the time, in any window', () => {
    fc.assert(
      fc.property(limits, comings, (limit, steps) => {
        const forward = steps.map((step) => ({ ...step, back: false }));
        neverMore(limit, admittedAt(limit, forward));
      }),
      { numRuns: 200 },
    );
  });

  it('gives nothing more for a clock that is set back, however often', () => {
    fc.assert(
      fc.property(limits, comings, (limit, steps) => neverMore(limit, admittedAt(limit, steps))),
      { numRuns: 200 },
    );
  });

  it('is served again one interval after its clock was set back by an hour', () => {
    const limit = { perSecond: 10, burst: 5 };
    const hour = 3_600_000_000;
    const empty = take(hour, limit);
    expect(empty).toEqual({ admitted: false, debt: depthOf(limit) });
    expect(take(empty.debt - intervalOf(limit), limit).admitted).toBe(true);
  });

  it('is full when it was not used for long enough, and then gives its whole burst at once and no more', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: -1_000_000_000, max: 0 }), (limit, debt) => {
        expect(remaining(debt, limit)).toBeGreaterThanOrEqual(limit.burst);
        const admitted = admittedAt(limit, [{ after: 0, back: false, times: limit.burst + 10 }]);
        expect(admitted).toHaveLength(limit.burst);
      }),
    );
  });

  it('gives its rate for as long as it is asked', () => {
    const limit = { perSecond: 100, burst: 10 };
    const steps = Array.from({ length: 10_000 }, () => ({ after: 1_000, back: false, times: 1 }));
    expect(admittedAt(limit, steps).length).toBeGreaterThanOrEqual(1_000);
    expect(admittedAt(limit, steps).length).toBeLessThanOrEqual(1_010);
  });

  it('says how many are left, and in how many whole seconds there is one more', () => {
    const limit = { perSecond: 0.25, burst: 4 };
    let debt = 0;
    const told: [number, number][] = [];
    for (let count = 0; count < 4; count += 1) {
      debt = take(debt, limit).debt;
      told.push([remaining(debt, limit), secondsToNext(debt, limit)]);
    }
    expect(told).toEqual([
      [3, 4],
      [2, 4],
      [1, 4],
      [0, 4],
    ]);
    expect([remaining(debt - 1_500_000, limit), secondsToNext(debt - 1_500_000, limit)]).toEqual([0, 3]);
    expect(secondsToNext(1, { perSecond: 1_000, burst: 1 })).toBe(1);
  });

  it('lets whoever waits as long as it says take one more', () => {
    fc.assert(
      fc.property(limits, fc.double({ min: 0, max: 1, noNaN: true }), (limit, part) => {
        const debt = Math.round(depthOf(limit) * part);
        expect(take(debt - secondsToNext(debt, limit) * 1_000_000, limit).admitted).toBe(true);
      }),
    );
  });

  it('lives with a limit that has become smaller: it is empty, and served again after one interval', () => {
    const [before, after] = [
      { perSecond: 1, burst: 1_000 },
      { perSecond: 10, burst: 2 },
    ];
    const { debt } = take(depthOf(before), after);
    expect(debt).toBe(depthOf(after));
    expect(take(debt - intervalOf(after), after).admitted).toBe(true);
  });
});
