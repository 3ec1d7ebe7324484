import { pauseAfter } from './back-off.js';

const BOUNDS = { firstMs: 100, lastMs: 1_500 };

describe('the pause before another attempt', () => {
  it('doubles with every failure up to the last', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 1_000_000].map((failures) => pauseAfter(failures, BOUNDS, 1));
    expect(pauses).toEqual([100, 200, 400, 800, 1_500, 1_500, 1_500]);
  });

  it('is spread over its upper half', () => {
    expect([0, 0.5, 1].map((random) => pauseAfter(3, BOUNDS, random))).toEqual([200, 300, 400]);
    expect(new Set(Array.from({ length: 50 }, () => pauseAfter(5, BOUNDS))).size).toBeGreaterThan(10);
  });

  it('fits what PostgreSQL is told it in, however long', () => {
    expect(pauseAfter(2 ** 31, { firstMs: 600_000, lastMs: 3_600_000 }, 1)).toBe(3_600_000);
  });
});
