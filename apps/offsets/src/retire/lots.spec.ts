import { lotsOf } from './lots.js';

const lots = (...lines: number[]) =>
  lotsOf(lines.map((each) => ({ lines: each }))).map((lot) => lot.map((x) => x.lines));

describe('lots of lines', () => {
  it('are none of nothing, and one of little', () => {
    expect(lots()).toEqual([]);
    expect(lots(1, 0, 2_999, 2_000)).toEqual([[1, 0, 2_999, 2_000]]);
  });

  it('are cut where the next would be too much, and leave alone what is too much by itself', () => {
    expect(lots(4_000, 1_001, 9_000, 1, 5_000)).toEqual([[4_000], [1_001], [9_000], [1], [5_000]]);
  });
});
