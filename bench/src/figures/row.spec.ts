import { rowAlone, rowOf } from './row.js';

const row = { bench: 'search', what: 'search', unit: '/s', against: 'bare' };

describe('a row of the table', () => {
  it('compares each round with itself, and only then takes the median', () => {
    // The machine was slow in the second round, for both sides: the medians alone would say 1 ×.
    const { compared } = rowOf({ ...row, ours: [20, 10, 60], baseline: [10, 5, 20] });
    expect(compared).toEqual({ median: 2, min: 2, max: 3, rounds: [2, 2, 3] });
  });

  it('says by how much more where that is what counts', () => {
    const { compared } = rowOf({ ...row, ours: [5, 6, 7], baseline: [4, 4, 8], comparison: 'difference' });
    expect(compared).toEqual({ median: 1, min: -1, max: 2, rounds: [1, 2, -1] });
  });

  it.each([
    { goal: { atLeast: 2 }, met: true },
    { goal: { atLeast: 2.01 }, met: false },
    { goal: { atMost: 2 }, met: true },
    { goal: { atMost: 1.99 }, met: false },
  ])('meets a goal by its median: $goal', ({ goal, met }) => {
    expect(rowOf({ ...row, goal, ours: [4, 2, 8], baseline: [2, 2, 2] }).met).toBe(met);
  });

  it('neither meets nor misses a goal that is not set', () => {
    expect(rowOf({ ...row, ours: [1], baseline: [1] })).not.toHaveProperty('met');
  });

  it.each([
    { goal: { atMost: 60 }, met: true },
    { goal: { atMost: 59 }, met: false },
  ])('meets a goal by itself where nothing is set beside it: $goal', ({ goal, met }) => {
    expect(rowAlone({ bench: 'complete', what: 'p50', unit: 'ms', ours: [20, 60, 300], goal })).toMatchObject({ met });
  });

  it('is refused when one side has a round that the other has not', () => {
    expect(() => rowOf({ ...row, ours: [1, 2], baseline: [1] })).toThrow(RangeError);
  });
});
