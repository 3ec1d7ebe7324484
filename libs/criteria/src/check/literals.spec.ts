import fc from 'fast-check';
import { eachOf } from '../testing/criteria.js';
import { periodOf } from './date.js';
import { numberOf } from './number.js';

describe('a number literal', () => {
  it('is decimal, with digits behind the point and an exponent if any', () => {
    const numbers = { 0: 0, '-0': 0, '007': 7, '-1.25': -1.25, '.5': 0.5, '-.5': -0.5, '1e3': 1000, '1E-2': 0.01 };
    const large = { '2.5e+2': 250, '1e999': Number.POSITIVE_INFINITY };
    expect(eachOf({ ...numbers, ...large }, numberOf)).toEqual({ ...numbers, ...large });
  });

  it.each([
    ['no digits', ['', '-', '.', '-.', '--1', '1-', 'NaN', 'Infinity', '１']],
    ['half a fraction or exponent', ['5.', '.5e1', '1e', '1e+']],
    ['the signs of other notations', ['+5', '0x10', '1_000', '1,5', '1 ', ' 1']],
  ])('has never %s', (_, texts) => {
    expect(texts.filter((text) => numberOf(text) !== undefined)).toEqual([]);
  });

  it('gives any finite number back from its shortest text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(numberOf(String(number))).toBe(number + 0);
      }),
    );
  });
});

describe('a date literal', () => {
  it('lasts from its start to the start of the next of its kind', () => {
    const periods = {
      2022: ['2022-01-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
      '2022-12': ['2022-12-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
      '2024-02': ['2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
      '2024-02-29': ['2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
      '2022-12-31': ['2022-12-31T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
      '2022-02-28T23:59': ['2022-02-28T23:59:00.000Z', '2022-03-01T00:00:00.000Z'],
      '2022-02-28T23:59:59': ['2022-02-28T23:59:59.000Z', '2022-03-01T00:00:00.000Z'],
      '2022-02-28T23:59:59.999Z': ['2022-02-28T23:59:59.999Z', '2022-03-01T00:00:00.000Z'],
      '2022-03-01T01:00+01:00': ['2022-03-01T00:00:00.000Z', '2022-03-01T00:01:00.000Z'],
      '2022-02-28T19:30:00-05:30': ['2022-03-01T01:00:00.000Z', '2022-03-01T01:00:01.000Z'],
      '0050': ['0050-01-01T00:00:00.000Z', '0051-01-01T00:00:00.000Z'],
    };
    const read = (text: string) => {
      const period = periodOf(text);
      return typeof period === 'string' ? period : [period.start, period.end].map((at) => new Date(at).toISOString());
    };
    expect(eachOf(periods, read)).toEqual(periods);
  });

  it.each([
    ['calendar', ['2022-02-30', '2023-02-29', '2022-00', '2022-13', '2022-04-31', '2022-01-01T24:00']],
    ['calendar', ['2022-01-01T00:60', '2022-01-01T00:00:60', '2022-01-01T00:00+24:00']],
    ['form', ['', '22', '20222', '2022-2', '+2022', 'now', '２０２２', '2022-02-28Z', '2022-02-28T10']],
    ['form', ['2022-02-28 10:30', '2022-02-28T10:30:00.5', '2022-02-28T10:30+2']],
  ])('is refused for its %s: %j', (reason, texts) => {
    expect(texts.map((text) => [text, periodOf(text)])).toEqual(texts.map((text) => [text, reason]));
  });
});
