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

  it('counts a pattern, which is no longer than other values, with its wildcards', () => {
    expect(mistakes(`ticker:${'x'.repeat(255)}*`)).toEqual([]);
    expect(mistakes(`ticker:${'x'.repeat(256)}*`)).toEqual([['VALUE_TOO_LONG', 7, 257]]);
    expect(mistakes(`ticker like "${'x'.repeat(256)}*"`)).toEqual([['VALUE_TOO_LONG', 12, 259]]);
  });

  it('counts the values of groups, and their parentheses as levels', () => {
    expect(mistakes(`sdgs:(${repeated(256, '1', ' or ')})`)).toEqual([]);
    expect(mistakes(`sdgs:(${repeated(257, '1', ' or ')})`)).toEqual([['TOO_MANY_CLAUSES', 1286, 1]]);
    expect(mistakes(`sdgs:(${repeated(257, '1', ',')})`)).toEqual([['TOO_MANY_CLAUSES', 518, 1]]);
    expect(mistakes(`sdgs:${'('.repeat(16)}1${')'.repeat(16)}`)).toEqual([]);
    expect(mistakes(`sdgs:${'('.repeat(17)}1${')'.repeat(17)}`)).toEqual([['TOO_DEEP', 21, 1]]);
    expect(mistakes(`${'('.repeat(8)}sdgs:${'('.repeat(9)}1${')'.repeat(17)}`)).toEqual([['TOO_DEEP', 21, 1]]);
  });

  it('takes a range, an interval and between as one comparison', () => {
    for (const range of ['sdgs:1..2', 'sdgs:[1 TO 2}', 'sdgs between 1 and 2']) {
      const limits = { clauses: 2 };
      expect(mistakes(`${range} and ${range}`, limits)).toEqual([]);
      const codes = mistakes(`${range} and ${range} and ${range}`, limits);
      expect(codes).toEqual([['TOO_MANY_CLAUSES', 2 * (range.length + 5), range.length]]);
    }
  });

  it('takes eight patterns, however they are written', () => {
    const eight = 'ticker:a* ticker:(b* or c*) ticker in (d*, e*) not ticker like "f*" ticker!=g* name:h*';
    expect(mistakes(eight)).toEqual([]);
    expect(mistakes(`${eight} name:i*`)).toEqual([['TOO_MANY_PATTERNS', eight.length + 6, 2]]);
    expect(mistakes(`${eight} name:* address:0x2b`)).toEqual([]);
    expect(mistakes(`${eight} address:0x2b*`)).toEqual([['TOO_MANY_PATTERNS', eight.length + 9, 5]]);
  });

  it('takes four * and eight ? in one pattern', () => {
    expect(mistakes('ticker:a*b*c*d*')).toEqual([]);
    expect(mistakes('ticker:a*b*c*d*e*')).toEqual([['PATTERN_TOO_BROAD', 7, 10]]);
    expect(mistakes('ticker:a????????')).toEqual([]);
    expect(mistakes('ticker:a?????????')).toEqual([['PATTERN_TOO_BROAD', 7, 10]]);
    expect(mistakes('ticker like "\\*\\*\\*\\*\\*a*"')).toEqual([]);
  });

  it('takes a pattern that starts with a wildcard from three other characters on', () => {
    expect(mistakes('ticker:*abc')).toEqual([]);
    expect(mistakes('ticker:*a?b*')).toEqual([['PATTERN_TOO_BROAD', 7, 5]]);
    expect(mistakes('name:?bc')).toEqual([['PATTERN_TOO_BROAD', 5, 3]]);
    expect(mistakes('ticker like "*\\**"')).toEqual([['PATTERN_TOO_BROAD', 12, 6]]);
  });

  it('takes no pattern of wildcards alone', () => {
    expect(mistakes('ticker:a*')).toEqual([]);
    expect(mistakes('ticker:?*')).toEqual([['PATTERN_TOO_BROAD', 7, 2]]);
    expect(mistakes('ticker like "**"')).toEqual([['PATTERN_TOO_BROAD', 12, 4]]);
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
    expect(mistakes('ticker:a*', { patterns: 0 })).toEqual([['TOO_MANY_PATTERNS', 7, 2]]);
    expect(mistakes('ticker:a*', { patternStars: 0 })).toEqual([['PATTERN_TOO_BROAD', 7, 2]]);
    expect(mistakes('ticker:a?', { patternQuestions: 0 })).toEqual([['PATTERN_TOO_BROAD', 7, 2]]);
    expect(mistakes('ticker:a*', { patternLiterals: 2 })).toEqual([['PATTERN_TOO_BROAD', 7, 2]]);
    expect(mistakes('ticker:*abc', { leadingPatternLiterals: 4 })).toEqual([['PATTERN_TOO_BROAD', 7, 4]]);
  });
});
