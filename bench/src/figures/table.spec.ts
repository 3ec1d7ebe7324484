import { rowAlone, rowOf } from './row.js';
import { figure, tableOf } from './table.js';

describe('the table of results', () => {
  it('shows medians with their spread, the comparison, the goal and whether it is met', () => {
    const ratio = rowOf({
      bench: 'search',
      what: 'search | first time',
      unit: 'searches/s',
      against: 'straight',
      ours: [900, 1000, 950],
      baseline: [1000, 1000, 1000],
      goal: { atLeast: 0.85 },
    });
    const difference = rowOf({
      bench: 'search',
      what: 'p50',
      unit: 'ms',
      against: 'straight',
      ours: [4, 4, 4],
      baseline: [2, 2, 5],
      comparison: 'difference',
      goal: { atMost: 1.5 },
    });
    expect(tableOf([ratio, difference])).toBe(
      [
        '| bench | what | ours | baseline | compared | goal | met |',
        '| --- | --- | --- | --- | --- | --- | --- |',
        '| search | search \\| first time | 950 (900 … 1000) searches/s | 1000 (1000 … 1000) searches/s, straight | 0.95 × (0.9 × … 1 ×) | ≥ 0.85 × | yes |',
        '| search | p50 | 4 (4 … 4) ms | 2 (2 … 5) ms, straight | +2 ms (−1 ms … +2 ms) | ≤ +1.5 ms | no |',
      ].join('\n'),
    );
  });

  it('shows what nothing is set beside with its goal alone', () => {
    const alone = rowAlone({ bench: 'complete', what: 'p50', unit: 'ms', ours: [70, 50, 55], goal: { atMost: 60 } });
    expect(tableOf([alone]).split('\n')[2]).toBe('| complete | p50 | 55 (50 … 70) ms | – | – | ≤ 60 ms | yes |');
  });

  it.each([
    [0.012345, '0.0123'],
    [9.996, '10'],
    [1234.5, '1230'],
    [123_456, '123,000'],
    [0, '0'],
  ])('writes %p with three digits that count', (value, text) => {
    expect(figure(value)).toBe(text);
  });
});
