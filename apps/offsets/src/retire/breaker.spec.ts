import { Breaker } from './breaker.js';

describe('a breaker', () => {
  let time = 0;
  let breaker: Breaker;
  beforeEach(() => {
    time = 1_000;
    breaker = new Breaker({ failures: 3, firstMs: 100, lastMs: 400 }, () => time);
  });
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) breaker.failedOnce();
  };
  /** Lets it half-open, and tries in vain; gives for how long it was open at most. */
  const openFor = () => {
    const begin = time;
    while (breaker.state === 'open') time += 1;
    return time - begin;
  };

  it('leaves room for all that are not under way, until so many calls have failed in a row', () => {
    expect([breaker.room(8, 0), breaker.room(8, 5), breaker.room(8, 9)]).toEqual([8, 3, 0]);
    fail(2);
    breaker.succeeded();
    fail(2);
    expect(breaker.room(8, 0)).toBe(8);
    fail(1);
    expect([breaker.state, breaker.room(8, 0)]).toEqual(['open', 0]);
  });

  it('lets one through when its time is over, and closes when that one succeeds', () => {
    fail(3);
    time += 100;
    expect([breaker.state, breaker.room(8, 0), breaker.room(8, 1)]).toEqual(['half-open', 1, 0]);
    breaker.succeeded();
    expect([breaker.state, breaker.room(8, 1)]).toEqual(['closed', 7]);
  });

  it('opens for twice as long at each vain trial, up to a bound, and spreads the times', () => {
    fail(3);
    for (const most of [100, 200, 400, 400, 400]) {
      const ms = openFor();
      expect(ms).toBeGreaterThanOrEqual(most / 2);
      expect(ms).toBeLessThanOrEqual(most);
      fail(1);
    }
  });

  it('is not held open by stragglers that were under way when it opened', () => {
    fail(3);
    const before = time;
    while (breaker.state === 'open') {
      time += 1;
      if (breaker.state === 'open') fail(1);
    }
    expect(time - before).toBeLessThanOrEqual(100);
  });

  it('stays away for as long as it is told to, also when a call that was under way succeeds', () => {
    breaker.failedOnce(5_000);
    time += 10;
    breaker.succeeded();
    expect([breaker.state, breaker.room(8, 0)]).toEqual(['open', 0]);
    time += 4_990;
    expect([breaker.state, breaker.room(8, 0)]).toEqual(['closed', 8]);
  });

  it('stays away at once for as long as it is told to', () => {
    breaker.failedOnce(5_000);
    time += 4_999;
    expect(breaker.room(8, 0)).toBe(0);
    time += 1;
    expect(breaker.room(8, 0)).toBe(8);
  });
});
