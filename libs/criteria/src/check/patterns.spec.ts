import { compilePattern } from '../compile/compile-criteria.js';
import { eachOf, errorsIn } from '../testing/criteria.js';
import { effortOf } from './pattern-effort.js';
import { wholePattern, wordPattern } from './patterns.js';

const a = (count: number) => 'a'.repeat(count);
const tooBroad = (position: number, length: number) => [['PATTERN_TOO_BROAD', position, length]];

describe('the limits of a pattern', () => {
  it.each(['ticker:', 'name = ', 'name:', 'description:', 'name like '])(
    'after %s are four * and eight ?',
    (before) => {
      expect(errorsIn(`${before}a*b*c*d*`)).toEqual([]);
      expect(errorsIn(`${before}a*b*c*d*e*`)).toEqual(tooBroad(before.length, 10));
      expect(errorsIn(`${before}a????????`)).toEqual([]);
      expect(errorsIn(`${before}a?????????`)).toEqual(tooBroad(before.length, 10));
    },
  );

  it('are eight patterns in one text, however they are written; the ninth is reported, and no later one', () => {
    const eight = 'ticker:a* ticker:(b* or c*) ticker in (d*, e*) not ticker like "f*" ticker!=g* name:h*';
    expect(errorsIn(`${eight} name:* ticker:"a*" address:0x2b`)).toEqual([]);
    expect(errorsIn(`${eight} name:i* description:c* `)).toEqual([['TOO_MANY_PATTERNS', eight.length + 6, 2]]);
    expect(errorsIn(`${eight} name like "b*"`)).toEqual([['TOO_MANY_PATTERNS', eight.length + 11, 4]]);
    expect(errorsIn(`${eight} address:0x2b*`)).toEqual([['TOO_MANY_PATTERNS', eight.length + 9, 5]]);
  });

  it('are an effort of the index that all patterns of a text share: the one that exceeds it is reported', () => {
    const [dear, cheap] = ['ticker:*a????????aa', 'ticker:*abc????????'];
    expect(errorsIn(Array(8).fill(cheap).join(' or '))).toEqual([]);
    expect(errorsIn(`${dear} or ${dear}`)).toEqual([]);
    expect(errorsIn(`${dear} or ${dear} or ${dear}`)).toEqual(tooBroad(53, 12));
    expect(errorsIn(`ticker:*a????????${a(24)}`)).toEqual(tooBroad(7, 34));
  });

  it.each([
    ['ticker:a*b*', { patternStars: 1 }],
    ['ticker:a??', { patternQuestions: 1 }],
    ['ticker:a*', { patternLiterals: 2 }],
    ['ticker:*abc', { leadingPatternLiterals: 4 }],
    ['ticker:*abc?', { patternEffort: 3 }],
  ])('can be set for %s: %j', (text, limits) => {
    expect(errorsIn(text, limits)).toEqual(tooBroad(7, text.length - 7));
    expect(errorsIn('ticker:*a', { leadingPatternLiterals: 1 })).toEqual([]);
    expect(errorsIn('ticker:a*', { patterns: 0 })).toEqual([['TOO_MANY_PATTERNS', 7, 2]]);
  });
});

describe('the effort of a pattern', () => {
  const MAX_STATES = 10_000;

  it('adds up the state sets that the index makes', () => {
    // {0,1} {0,1,2} {0,1,2,3} {0,1,3}: nothing, an a, an a and one more, and one more that is no a.
    expect(effortOf('*a?', MAX_STATES)).toBe(12);
  });

  it('is small where literals soon tell the sets apart', () => {
    const small = ['*a????????', '*carbon????????tonne', 'a????????*b*c*d', '*abc????*abc????*', '????????*abc'];
    const long = [`*${a(250)}`, `????????${a(240)}*`, `*${a(40)}????????`, '*“carbon”?', '*100 €??'];
    expect([...small, ...long].filter((pattern) => effortOf(pattern, MAX_STATES) > MAX_STATES)).toEqual([]);
  });

  it('is too large where they do not, in folded characters too', () => {
    const folded = ['aA', 'ßS', 'Æa', 'ﬀF', '⒨', '“"', '２2'].map((text) => `*${text}???${text.repeat(120)}`);
    const plain = [`*a????????${a(24)}`, `*a????${a(200)}`, `a*b????????${'b'.repeat(24)}`];
    const mixed = ['*ab?b?b?b?b?b?b?b?bbbbbbbbbbbbbbbbbbbbbbbbbbbb*a*', `*\\?????????${'\\?'.repeat(24)}`];
    expect([...folded, ...plain, ...mixed].filter((pattern) => effortOf(pattern, MAX_STATES) <= MAX_STATES)).toEqual(
      [],
    );
  });

  it('is unlimited without a ? behind a *, however long the pattern', () => {
    const free = [`????????${a(240)}*`, `*${a(60)}*${a(60)}*${a(60)}*${a(60)}`];
    const escaped = [`\\*a????????${a(200)}`, `*a\\?\\?\\?\\?\\?\\?\\?\\?${a(200)}`];
    expect([...free, ...escaped].map((pattern) => effortOf(pattern, 0))).toEqual([0, 0, 0, 0]);
  });
});

describe('a pattern for a word', () => {
  it('is folded as the index folds words', () => {
    const latin = {
      'Mangrov*': 'mangrov*',
      'SÃO?': 'sao?',
      'e\u0301COLE*': 'ecole*',
      'a_b2*': 'a_b2*',
      'Łódź*': 'lodz*',
    };
    const several = {
      'Straße*': 'strasse*',
      'STRAẞE*': 'strasse*',
      'ŒUVRE*': 'oeuvre*',
      'ÐØÞÆ*': 'dothae*',
      'Ǽ?': 'ae?',
    };
    const dotless = { 'İstanbul*': 'istanbul*', 'ısı*': 'isi*', 'ﬁＡ１*': 'fia1*' };
    const others = { 'ΆΛΦΑ*': 'άλφα*', 'ЁЛКА*': 'ёлка*', '漢*': '漢*' };
    const table = { ...latin, ...several, ...dotless, ...others };
    expect(eachOf(table, wordPattern)).toEqual(table);
  });

  it('is refused where no word has that form', () => {
    const formless = ['co-ben*', 'a b*', "d'iv*", 'd’iv*', '100%*', 'a\\**', 'a.b*', 'x²*', '🌳*'];
    expect(formless.filter((pattern) => wordPattern(pattern) !== undefined)).toEqual([]);
  });

  it('stays the same when it is folded again', () => {
    const letters = Array.from({ length: 0x3000 - 0xa0 }, (_, code) => String.fromCharCode(code + 0xa0));
    const folded = letters.flatMap((letter) => wordPattern(letter) ?? []);
    expect(folded.map(wordPattern)).toEqual(folded);
  });
});

describe('a pattern for a whole value', () => {
  it('keeps its letters, which the index folds, composed; what the index folds to a wildcard is escaped', () => {
    const table = {
      '*São Tomé?': '*São Tomé?',
      'e\u0301*': '\u00e9*',
      'a＊b？＼⁎⁇⁈⁉*': 'a\\*b\\?\\\\\\*\\?\\?\\?!!\\?*',
    };
    expect(eachOf(table, wholePattern)).toEqual(table);
  });
});

describe('a compiled pattern', () => {
  it('is a prefix where it fixes nothing but the beginning, and a wildcard elsewhere', () => {
    const prefixes = { 'bc*': 'bc', 'a\\*b*': 'a*b', 'a\\\\*': 'a\\', '\\?*': '?' };
    const wildcards = ['*bc', 'b*c', 'b*c*', 'b?*', 'b?', 'a\\**b', '**a', 'a**'];
    const compiled = (pattern: string) => compilePattern('f', pattern);
    expect(eachOf(prefixes, (pattern) => compiled(pattern))).toEqual(
      Object.fromEntries(Object.entries(prefixes).map(([pattern, value]) => [pattern, { prefix: { f: { value } } }])),
    );
    expect(wildcards.map(compiled)).toEqual(wildcards.map((value) => ({ wildcard: { f: { value } } })));
  });
});
