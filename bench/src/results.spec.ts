import { figure, type Goal, rowAlone, rowOf, tableOf } from './results.js';
import { alternate, median, percentile, spreadOf, summaryOf } from './statistics.js';

const row = { bench: 'search', what: 'search', unit: '/s', against: 'bare' };

describe('the rounds', () => {
  it('alternate between the variants, and return the results of each', async () => {
    const turns: string[] = [];
    const side = (name: string, add: number) => async (round: number) => {
      turns.push(`${name}${round}`);
      return round + add;
    };
    const found = await alternate({ a: side('a', 0), b: side('b', 10) }, 3);
    expect(turns).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    expect(found).toEqual({ a: [0, 1, 2], b: [10, 11, 12] });
  });

  it('keep their order, with the median, minimum and maximum', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, rounds: [3, 1, 2] });
  });
});

describe('the median', () => {
  it('is the middle value, or the mean of the middle two, and an error without values', () => {
    expect(
      [
        [9, 1, 5],
        [10, 1, 4, 2],
        [9, 10, 100],
      ].map(median),
    ).toEqual([5, 3, 10]);
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('a percentile', () => {
  it('is the smallest value that the share of values does not exceed, and an error without values', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100]);
    expect(summaryOf(hundred.toReversed())).toEqual({ p50: 50, p99: 99, max: 100 });
    expect(percentile([7], 0.99)).toBe(7);
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

describe('a row of the results', () => {
  it('compares the variants within each round, and then takes the median', () => {
    // The machine was slow in the second round, for both variants: the medians alone would give 1 ×.
    const { compared } = rowOf({ ...row, ours: [20, 10, 60], baseline: [10, 5, 20] });
    expect(compared).toEqual({ median: 2, min: 2, max: 3, rounds: [2, 2, 3] });
  });

  it('contains the difference if that is compared', () => {
    const { compared } = rowOf({ ...row, ours: [5, 6, 7], baseline: [4, 4, 8], comparison: 'difference' });
    expect(compared).toEqual({ median: 1, min: -1, max: 2, rounds: [1, 2, -1] });
  });

  it('meets a goal by its median, and has no verdict without a goal', () => {
    const met = (goal?: Goal) => rowOf({ ...row, ...(goal && { goal }), ours: [4, 2, 8], baseline: [2, 2, 2] }).met;
    const verdicts = [{ atLeast: 2 }, { atLeast: 2.01 }, { atMost: 2 }, { atMost: 1.99 }, undefined].map(met);
    expect(verdicts).toEqual([true, false, true, false, undefined]);
    const alone = (atMost: number) => rowAlone({ ...row, ours: [20, 60, 300], goal: { atMost } }).met;
    expect([60, 59].map(alone)).toEqual([true, false]);
  });

  it('is refused when one variant has more rounds than the other', () => {
    expect(() => rowOf({ ...row, ours: [1, 2], baseline: [1] })).toThrow(RangeError);
  });
});

describe('the table of results', () => {
  it('shows medians with their spread, the comparison, the goal and whether it is met', () => {
    const first = { ...row, what: 'search | first time', unit: 'searches/s', goal: { atLeast: 0.85 } };
    const ratio = rowOf({ ...first, ours: [900, 1000, 950], baseline: [1000, 1000, 1000] });
    const p50 = { ...row, what: 'p50', unit: 'ms', comparison: 'difference', goal: { atMost: 1.5 } } as const;
    const difference = rowOf({ ...p50, ours: [4, 4, 4], baseline: [2, 2, 5] });
    const alone = rowAlone({ bench: 'complete', what: 'p50', unit: 'ms', ours: [70, 50, 55], goal: { atMost: 60 } });
    expect(tableOf([ratio, difference, alone]).split('\n')).toEqual([
      '| bench | what | ours | baseline | compared | goal | met |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| search | search \\| first time | 950 (900 … 1000) searches/s | 1000 (1000 … 1000) searches/s, bare | 0.95 × (0.9 × … 1 ×) | ≥ 0.85 × | yes |',
      '| search | p50 | 4 (4 … 4) ms | 2 (2 … 5) ms, bare | +2 ms (−1 ms … +2 ms) | ≤ +1.5 ms | no |',
      '| complete | p50 | 55 (50 … 70) ms | – | – | ≤ 60 ms | yes |',
    ]);
  });

  it('prints numbers with three significant digits', () => {
    expect([0.012345, 9.996, 1234.5, 123_456, 0].map(figure)).toEqual(['0.0123', '10', '1230', '123,000', '0']);
  });
});
