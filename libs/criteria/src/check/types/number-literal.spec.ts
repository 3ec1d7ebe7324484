import fc from 'fast-check';
import { numberOf } from './number-literal.js';

describe('a number literal', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['007', 7],
    ['-1.25', -1.25],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['2.5e+2', 250],
    ['1e999', Number.POSITIVE_INFINITY],
  ])('%s is %d', (text, number) => {
    expect(numberOf(text)).toBe(number);
  });

  it.each([
    '',
    '-',
    '.',
    '-.',
    '5.',
    '.5e1',
    '1e',
    '1e+',
    '+5',
    '0x10',
    '1_000',
    '1,5',
    '1 ',
    ' 1',
    'NaN',
    'Infinity',
    '--1',
    '1-',
    '１',
  ])('%j is none', (text) => {
    expect(numberOf(text)).toBeUndefined();
  });

  it('gives any finite number back from its shortest text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(numberOf(String(number))).toBe(number + 0);
      }),
    );
  });
});
