import { median, percentile, spreadOf } from './spread.js';

describe('the middle of some figures', () => {
  it('is the middle one of an odd count, whatever their order', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('is half way between the middle two of an even count', () => {
    expect(median([10, 1, 4, 2])).toBe(3);
  });

  it('sorts by size and not by spelling', () => {
    expect(median([9, 10, 100])).toBe(10);
  });

  it('of nothing does not exist', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => n + 1);

  it('is the least value that so large a share does not exceed', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile([7], 0.99)).toBe(7);
  });

  it('of nothing does not exist', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

describe('the spread of the rounds', () => {
  it('keeps every round in its order beside the median, the least and the most', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, rounds: [3, 1, 2] });
  });
});
