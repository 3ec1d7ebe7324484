import { mistakesIn } from './testing/criteria.js';

const repeated = (count: number, piece: string, separator: string) => Array(count).fill(piece).join(separator);
const nested = (depth: number, text: string) => '('.repeat(depth) + text + ')'.repeat(depth);

describe('the limits', () => {
  it('take 4,096 UTF-16 units, and of a longer text say nothing else', () => {
    expect(mistakesIn(`rating>3${' '.repeat(4088)}`)).toEqual([]);
    expect(mistakesIn(`rating>3${' '.repeat(4089)}`)).toEqual([['TOO_LONG', 4096, 1]]);
    expect(mistakesIn('('.repeat(5000))).toEqual([['TOO_LONG', 4096, 904]]);
  });

  it('take sixteen levels of parentheses, and blame the seventeenth', () => {
    expect(mistakesIn(nested(16, 'rating>3'))).toEqual([]);
    expect(mistakesIn(nested(17, 'rating>3'))).toEqual([['TOO_DEEP', 16, 1]]);
    expect(mistakesIn(`sdgs:${nested(16, '1')}`)).toEqual([]);
    expect(mistakesIn(`sdgs:${nested(17, '1')}`)).toEqual([['TOO_DEEP', 21, 1]]);
    expect(mistakesIn(nested(8, `sdgs:${nested(9, '1')}`))).toEqual([['TOO_DEEP', 21, 1]]);
  });

  it('count negations and lists as levels', () => {
    expect(mistakesIn(`${'not '.repeat(15)}ticker in (BCT)`)).toEqual([]);
    expect(mistakesIn(`${'not '.repeat(16)}ticker in (BCT)`)).toEqual([['TOO_DEEP', 74, 1]]);
    expect(mistakesIn(`${'-'.repeat(17)}rating>3`)).toEqual([['TOO_DEEP', 16, 1]]);
    expect(mistakesIn(`${'!'.repeat(17)}rating>3`)).toEqual([['TOO_DEEP', 16, 1]]);
    expect(mistakesIn('(sdgs:(not (1)))', { depth: 4 })).toEqual([]);
    expect(mistakesIn('(sdgs:(not (1)))', { depth: 3 })).toEqual([['TOO_DEEP', 11, 1]]);
  });

  it('do not add up levels that stand side by side', () => {
    expect(mistakesIn(repeated(100, '(not rating>3)', ' and '))).toEqual([]);
    expect(mistakesIn('sdgs:((1) or (2) or not 3)', { depth: 2 })).toEqual([]);
  });

  it('take 256 comparisons, of which every value of a list or group is one, and every *', () => {
    expect(mistakesIn(repeated(256, 'rating>3', ' '))).toEqual([]);
    expect(mistakesIn(repeated(257, 'rating>3', ' '))).toEqual([['TOO_MANY_CLAUSES', 2304, 8]]);
    expect(mistakesIn(`sdgs in (${repeated(255, '1', ',')}) *`)).toEqual([]);
    expect(mistakesIn(`sdgs in (${repeated(255, '1', ',')}) * *`)).toEqual([['TOO_MANY_CLAUSES', 522, 1]]);
    expect(mistakesIn(`sdgs in (${repeated(257, '1', ',')})`)).toEqual([['TOO_MANY_CLAUSES', 521, 1]]);
    expect(mistakesIn(`sdgs:(${repeated(256, '1', ' or ')})`)).toEqual([]);
    expect(mistakesIn(`sdgs:(${repeated(257, '1', ' or ')})`)).toEqual([['TOO_MANY_CLAUSES', 1286, 1]]);
    expect(mistakesIn(`sdgs:(${repeated(257, '1', ',')})`)).toEqual([['TOO_MANY_CLAUSES', 518, 1]]);
    expect(mistakesIn('sdgs:(1 or 2) price:1', { clauses: 3 })).toEqual([]);
    expect(mistakesIn('sdgs:(1 or 2) price:1', { clauses: 2 })).toEqual([['TOO_MANY_CLAUSES', 14, 7]]);
  });

  it.each(['sdgs:1..2', 'sdgs:[1 TO 2}', 'sdgs between 1 and 2'])('take %s as one comparison', (range) => {
    const clauses = 2;
    expect(mistakesIn(`${range} and ${range}`, { clauses })).toEqual([]);
    const blamed = [['TOO_MANY_CLAUSES', 2 * (range.length + 5), range.length]];
    expect(mistakesIn(`${range} and ${range} and ${range}`, { clauses })).toEqual(blamed);
  });

  it('take a value of 256 units, counted without quotes and escapes, and a pattern with its wildcards', () => {
    const x = (count: number) => 'x'.repeat(count);
    expect(mistakesIn(`ticker:"${'\\"'.repeat(256)}"`)).toEqual([]);
    expect(mistakesIn(`ticker:"${x(257)}"`)).toEqual([['VALUE_TOO_LONG', 7, 259]]);
    expect(mistakesIn(`rating>${'1'.repeat(257)}`)).toEqual([['VALUE_TOO_LONG', 7, 257]]);
    expect(mistakesIn(`rating:1..${'1'.repeat(257)}`)).toEqual([['VALUE_TOO_LONG', 10, 257]]);
    expect(mistakesIn(`ticker:${x(255)}*`)).toEqual([]);
    expect(mistakesIn(`ticker:${x(256)}*`)).toEqual([['VALUE_TOO_LONG', 7, 257]]);
    expect(mistakesIn(`ticker like "${x(256)}*"`)).toEqual([['VALUE_TOO_LONG', 12, 259]]);
  });

  it('let ten mistakes be reported at most', () => {
    expect(mistakesIn(repeated(11, 'zzz:1', ' and '))).toHaveLength(10);
    expect(mistakesIn(`${repeated(11, 'zzz:1', ' and ')} and`)).toHaveLength(10);
    expect(mistakesIn('a:1 b:2', { errors: 1 })).toHaveLength(1);
  });

  it.each([
    ['rating>3', { length: 7 }, ['TOO_LONG', 7, 1]],
    ['(rating>3)', { depth: 0 }, ['TOO_DEEP', 0, 1]],
    ['rating>3 sdgs:1', { clauses: 1 }, ['TOO_MANY_CLAUSES', 9, 6]],
    ['ticker:BCT', { valueLength: 2 }, ['VALUE_TOO_LONG', 7, 3]],
  ])('can be set one by one: %s with %j', (text, limits, mistake) => {
    expect(mistakesIn(text, limits)).toEqual([mistake]);
  });
});
