import { pauseBefore } from './retry.js';

describe('the pause before the next try', () => {
  it('doubles, up to five seconds', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 1_000].map((tries) => pauseBefore(tries, undefined, 0));
    expect(longest).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  it('is shorter at random, by half at most', () => {
    expect([0, 0.5, 1].map((random) => pauseBefore(3, undefined, random))).toEqual([800, 600, 400]);
  });

  it('is never shorter than was asked for', () => {
    expect([0, 0.5, 1].map((random) => pauseBefore(1, 3, random))).toEqual([3_000, 3_050, 3_100]);
    expect(pauseBefore(1, 0, 0)).toBe(0);
  });
});
