import { compile } from './compile.js';
import { goldenFields } from './reference/golden.js';

/** The codes and places of the mistakes; nothing for a text that is accepted. */
function mistakes(text: string, limits = {}): unknown[] {
  const compiled = compile(text, goldenFields, limits);
  return compiled.ok ? [] : compiled.errors.map(({ code, position, length }) => [code, position, length]);
}

const repeated = (count: number, piece: string, separator: string) => Array(count).fill(piece).join(separator);

describe('the limits', () => {
  it('takes 4,096 UTF-16 units and not one more', () => {
    expect(mistakes(`rating>3${' '.repeat(4088)}`)).toEqual([]);
    expect(mistakes(`rating>3${' '.repeat(4089)}`)).toEqual([['TOO_LONG', 4096, 1]]);
  });

  it('says of a text too long nothing but that', () => {
    expect(mistakes('('.repeat(5000))).toEqual([['TOO_LONG', 4096, 904]]);
  });

  it('takes sixteen levels of parentheses, and blames the seventeenth', () => {
    expect(mistakes(`${'('.repeat(16)}rating>3${')'.repeat(16)}`)).toEqual([]);
    expect(mistakes(`${'('.repeat(17)}rating>3${')'.repeat(17)}`)).toEqual([['TOO_DEEP', 16, 1]]);
  });

  it('counts negations and lists as levels', () => {
    expect(mistakes(`${'not '.repeat(15)}ticker in (BCT)`)).toEqual([]);
    expect(mistakes(`${'not '.repeat(16)}ticker in (BCT)`)).toEqual([['TOO_DEEP', 74, 1]]);
    expect(mistakes(`${'-'.repeat(17)}rating>3`)).toEqual([['TOO_DEEP', 16, 1]]);
    expect(mistakes(`${'!'.repeat(17)}rating>3`)).toEqual([['TOO_DEEP', 16, 1]]);
  });

  it('does not count levels that stand side by side', () => {
    expect(mistakes(repeated(100, '(not rating>3)', ' and '))).toEqual([]);
  });

  it('takes 256 comparisons', () => {
    expect(mistakes(repeated(256, 'rating>3', ' '))).toEqual([]);
    expect(mistakes(repeated(257, 'rating>3', ' '))).toEqual([['TOO_MANY_CLAUSES', 2304, 8]]);
  });

  it('counts every value of a list, and every *', () => {
    expect(mistakes(`sdgs in (${repeated(255, '1', ',')}) *`)).toEqual([]);
    expect(mistakes(`sdgs in (${repeated(255, '1', ',')}) * *`)).toEqual([['TOO_MANY_CLAUSES', 522, 1]]);
    expect(mistakes(`sdgs in (${repeated(257, '1', ',')})`)).toEqual([['TOO_MANY_CLAUSES', 521, 1]]);
  });

  it('takes a value of 256 units, counted without quotes and escapes', () => {
    expect(mistakes(`ticker:"${'\\"'.repeat(256)}"`)).toEqual([]);
    expect(mistakes(`ticker:"${'x'.repeat(257)}"`)).toEqual([['VALUE_TOO_LONG', 7, 259]]);
    expect(mistakes(`rating>${'1'.repeat(257)}`)).toEqual([['VALUE_TOO_LONG', 7, 257]]);
    expect(mistakes(`rating:1..${'1'.repeat(257)}`)).toEqual([['VALUE_TOO_LONG', 10, 257]]);
  });

  it('reports ten mistakes at most', () => {
    expect(mistakes(repeated(11, 'zzz:1', ' and '))).toHaveLength(10);
    expect(mistakes(`${repeated(11, 'zzz:1', ' and ')} and`)).toHaveLength(10);
  });

  it('can be set one by one', () => {
    expect(mistakes('rating>3', { length: 7 })).toEqual([['TOO_LONG', 7, 1]]);
    expect(mistakes('(rating>3)', { depth: 0 })).toEqual([['TOO_DEEP', 0, 1]]);
    expect(mistakes('rating>3 sdgs:1', { clauses: 1 })).toEqual([['TOO_MANY_CLAUSES', 9, 6]]);
    expect(mistakes('ticker:BCT', { valueLength: 2 })).toEqual([['VALUE_TOO_LONG', 7, 3]]);
    expect(mistakes('a:1 b:2', { errors: 1 })).toHaveLength(1);
  });
});
