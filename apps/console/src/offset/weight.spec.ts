import { readWeight, typedWeight } from './weight.js';

describe('a typed weight', () => {
  it.each([
    ['2.5', 2_500],
    ['2,5', 2_500],
    [' 0,5 ', 500],
    [',5', 500],
    ['7', 7_000],
    ['7.', 7_000],
    ['1.234', 1_234],
    ['0,125', 125],
    ['1234,5', 1_234_500],
    ['0.0012345', 1.2345],
  ])('has a point or a comma before its decimals: %j', (typed, kg) => {
    expect(readWeight(typed, 't')).toEqual({ kg });
  });

  it('that can be read in two ways is refused, with both', () => {
    expect(readWeight('1,234', 't')).toEqual({ reason: '1,234 can be 1234 or 1.234: write the one you mean.' });
  });

  it.each(['1,234.5', '1.234,5', '1,234,567', '1 234', '1e3', '.', 'two', ''])('is refused: %j', (typed) => {
    expect(readWeight(typed, 'kg')).toMatchObject({ reason: expect.stringContaining('1234.5') });
  });

  it.each(['0', '0,0', '-1'])('is more than nothing: %j', (typed) => {
    expect(readWeight(typed, 't')).toEqual({ reason: 'Write a weight above 0.' });
  });

  it('is at most what the API accepts, in the unit that is typed', () => {
    expect(readWeight('1000000001', 't')).toEqual({ reason: 'Write at most 1,000,000,000 t.' });
    expect(readWeight('1000000000', 't')).toEqual({ kg: 1e12 });
  });

  it('is shown as it is typed', () => {
    expect([typedWeight(2_500, 't'), typedWeight(1.2345, 't'), typedWeight(7, 'kg')]).toEqual([
      '2.5',
      '0.0012345',
      '7',
    ]);
    for (const kg of [1_234.567, 0.0005]) expect(readWeight(typedWeight(kg, 't'), 't')).toEqual({ kg });
  });
});
