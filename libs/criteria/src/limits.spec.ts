import { errorsIn } from './testing/criteria.js';

const repeated = (count: number, piece: string, separator: string) => Array(count).fill(piece).join(separator);
const nested = (depth: number, text: string) => '('.repeat(depth) + text + ')'.repeat(depth);

describe('the limits', () => {
  it('take 4,096 UTF-16 code units, and report nothing else about a longer text', () => {
    expect(errorsIn(`rating>3${' '.repeat(4088)}`)).toEqual([]);
    expect(errorsIn(`rating>3${' '.repeat(4089)}`)).toEqual([['TOO_LONG', 4096, 1]]);
    expect(errorsIn('('.repeat(5000))).toEqual([['TOO_LONG', 4096, 904]]);
  });

  it('take sixteen levels of parentheses, and refuse the seventeenth', () => {
    expect(errorsIn(nested(16, 'rating>3'))).toEqual([]);
    expect(errorsIn(nested(17, 'rating>3'))).toEqual([['TOO_DEEP', 16, 1]]);
    expect(errorsIn(`sdgs:${nested(16, '1')}`)).toEqual([]);
    expect(errorsIn(`sdgs:${nested(17, '1')}`)).toEqual([['TOO_DEEP', 21, 1]]);
    expect(errorsIn(nested(8, `sdgs:${nested(9, '1')}`))).toEqual([['TOO_DEEP', 21, 1]]);
  });

  it('count negations and lists as levels', () => {
    expect(errorsIn(`${'not '.repeat(15)}ticker in (BCT)`)).toEqual([]);
    expect(errorsIn(`${'not '.repeat(16)}ticker in (BCT)`)).toEqual([['TOO_DEEP', 74, 1]]);
    expect(errorsIn(`${'-'.repeat(17)}rating>3`)).toEqual([['TOO_DEEP', 16, 1]]);
    expect(errorsIn(`${'!'.repeat(17)}rating>3`)).toEqual([['TOO_DEEP', 16, 1]]);
    expect(errorsIn('(sdgs:(not (1)))', { depth: 4 })).toEqual([]);
    expect(errorsIn('(sdgs:(not (1)))', { depth: 3 })).toEqual([['TOO_DEEP', 11, 1]]);
  });

  it('do not add up levels that stand side by side', () => {
    expect(errorsIn(repeated(100, '(not rating>3)', ' and '))).toEqual([]);
    expect(errorsIn('sdgs:((1) or (2) or not 3)', { depth: 2 })).toEqual([]);
  });

  it('take 256 comparisons, of which every value of a list or group is one, and every *', () => {
    expect(errorsIn(repeated(256, 'rating>3', ' '))).toEqual([]);
    expect(errorsIn(repeated(257, 'rating>3', ' '))).toEqual([['TOO_MANY_CLAUSES', 2304, 8]]);
    expect(errorsIn(`sdgs in (${repeated(255, '1', ',')}) *`)).toEqual([]);
    expect(errorsIn(`sdgs in (${repeated(255, '1', ',')}) * *`)).toEqual([['TOO_MANY_CLAUSES', 522, 1]]);
    expect(errorsIn(`sdgs in (${repeated(257, '1', ',')})`)).toEqual([['TOO_MANY_CLAUSES', 521, 1]]);
    expect(errorsIn(`sdgs:(${repeated(256, '1', ' or ')})`)).toEqual([]);
    expect(errorsIn(`sdgs:(${repeated(257, '1', ' or ')})`)).toEqual([['TOO_MANY_CLAUSES', 1286, 1]]);
    expect(errorsIn(`sdgs:(${repeated(257, '1', ',')})`)).toEqual([['TOO_MANY_CLAUSES', 518, 1]]);
    expect(errorsIn('sdgs:(1 or 2) price:1', { clauses: 3 })).toEqual([]);
    expect(errorsIn('sdgs:(1 or 2) price:1', { clauses: 2 })).toEqual([['TOO_MANY_CLAUSES', 14, 7]]);
  });

  it.each(['sdgs:1..2', 'sdgs:[1 TO 2}', 'sdgs between 1 and 2'])('take %s as one comparison', (range) => {
    const clauses = 2;
    expect(errorsIn(`${range} and ${range}`, { clauses })).toEqual([]);
    const expected = [['TOO_MANY_CLAUSES', 2 * (range.length + 5), range.length]];
    expect(errorsIn(`${range} and ${range} and ${range}`, { clauses })).toEqual(expected);
  });

  it('take a value of 256 units, counted without quotes and escapes, and a pattern with its wildcards', () => {
    const x = (count: number) => 'x'.repeat(count);
    expect(errorsIn(`ticker:"${'\\"'.repeat(256)}"`)).toEqual([]);
    expect(errorsIn(`ticker:"${x(257)}"`)).toEqual([['VALUE_TOO_LONG', 7, 259]]);
    expect(errorsIn(`rating>${'1'.repeat(257)}`)).toEqual([['VALUE_TOO_LONG', 7, 257]]);
    expect(errorsIn(`rating:1..${'1'.repeat(257)}`)).toEqual([['VALUE_TOO_LONG', 10, 257]]);
    expect(errorsIn(`ticker:${x(255)}*`)).toEqual([]);
    expect(errorsIn(`ticker:${x(256)}*`)).toEqual([['VALUE_TOO_LONG', 7, 257]]);
    expect(errorsIn(`ticker like "${x(256)}*"`)).toEqual([['VALUE_TOO_LONG', 12, 259]]);
  });

  it('report at most ten errors', () => {
    expect(errorsIn(repeated(11, 'zzz:1', ' and '))).toHaveLength(10);
    expect(errorsIn(`${repeated(11, 'zzz:1', ' and ')} and`)).toHaveLength(10);
    expect(errorsIn('a:1 b:2', { errors: 1 })).toHaveLength(1);
  });

  it.each([
    ['rating>3', { length: 7 }, ['TOO_LONG', 7, 1]],
    ['(rating>3)', { depth: 0 }, ['TOO_DEEP', 0, 1]],
    ['rating>3 sdgs:1', { clauses: 1 }, ['TOO_MANY_CLAUSES', 9, 6]],
    ['ticker:BCT', { valueLength: 2 }, ['VALUE_TOO_LONG', 7, 3]],
  ])('can be set one by one: %s with %j', (text, limits, error) => {
    expect(errorsIn(text, limits)).toEqual([error]);
  });
});
