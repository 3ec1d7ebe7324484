import fc from 'fast-check';
import { type Compiled, compile } from './criteria.js';
import { CRITERIA_ERROR_CODES, type CriteriaError, toErrorItem } from './diagnostics/criteria-error.js';
import { snippet } from './diagnostics/snippet.js';
import type { CriteriaLimits } from './limits.js';
import { golden, goldenFields } from './testing/golden.js';

const TOKENS =
  `ticker rating name description vintages createdAt active address zzz in not and or null exists like is to between
eq ne gt BCT 3 -3 .5 1e9 2022-02 2022-02-28T10:30:00+02:00 true 0xab 0x2* b?t *grove* a\\* "*t*" [1 {2 3] 4} TO :[ :( =( ,( : = == != <>
>= < > ( ) [ ] { } , .. ... 1..2 ..3 * ? ** "" " ' '' \\ \\" \\u0041 \\u00 & && | || ! - + ~ ^ ; / /a.*/ \` “ ” ’ é 漢 🌳 ＊ ？ ⁇ İ ß
\u0000 \u0007 \u00a0 \u0301 \u200b \u061c \ufeff \ud800 \udc00 __proto__ constructor toString $ % @ # contains( exists( has: _exists_: =gt= =>`.split(
    /[ \n]+/,
  );

const soup = fc
  .array(fc.oneof(fc.constantFrom(...TOKENS), fc.constantFrom(' ', '', '  ', '\n')), { maxLength: 40 })
  .map((tokens) => tokens.join(''));

/** Returns an example with one piece replaced by another. */
const damaged = fc
  .tuple(fc.constantFrom(...golden.valid, ...golden.invalid), fc.nat(60), fc.nat(4), fc.constantFrom('', ...TOKENS))
  .map(([{ criteria }, at, length, piece]) => criteria.slice(0, at) + piece + criteria.slice(at + length));

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|undefined|NaN|\[object/u;
/** A canonical form may be longer and nested deeper than the text it comes from. */
const WIDE = { length: 100_000, depth: 100 };

/** Returns what is wrong with a result, as a list, so that thousands of texts need one expectation each. */
function errorsOf(text: string, compiled: Compiled): unknown[] {
  if (compiled.ok) return [...leavesOf(compiled.query).filter((leaf) => !isValidLeaf(leaf)), ...unlike(compiled)];
  const { errors } = compiled;
  const strange = errors.filter((error) => !isValidError(text, error));
  const picture = snippet(text, errors).replace('\n', '');
  return [
    ...strange,
    ...(errors.length < 1 || errors.length > 10 ? [errors.length] : []),
    ...(picture.match(UNSAFE) ?? []),
  ];
}

/** Returns every value in a query that is not an object. */
function leavesOf(part: unknown): unknown[] {
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(leavesOf) : [part];
}

function isValidLeaf(leaf: unknown): boolean {
  if (typeof leaf === 'number') return Number.isFinite(leaf) && !Object.is(leaf, -0);
  return typeof leaf === 'boolean' || (typeof leaf === 'string' && leaf.isWellFormed());
}

/** Returns the query of the canonical form if it differs. */
function unlike(compiled: Extract<Compiled, { ok: true }>): unknown[] {
  const again = compile(compiled.canonical, goldenFields, WIDE);
  return JSON.stringify(again) === JSON.stringify(compiled) ? [] : [again];
}

function isValidError(text: string, error: CriteriaError): boolean {
  const { allowed: _, rewrite = { ...error, text: '' }, ...item } = toErrorItem(error);
  const isWithin = [error, rewrite].every(
    ({ position, length }) => position >= 0 && length >= 0 && position + length <= text.length,
  );
  const shown = [...Object.values(item), rewrite.text].join(' ');
  return isWithin && CRITERIA_ERROR_CODES.includes(error.code) && !UNSAFE.test(shown);
}

/** Any exception fails the test with its text. */
function expectValid(text: string): void {
  const errors = errorsOf(text, compile(text, goldenFields));
  if (errors.length > 0) expect([text, errors]).toEqual([text, []]);
}

/** Each run makes other texts: 100,000 in total. */
const KINDS: readonly (readonly [string, fc.Arbitrary<string>, number])[] = [
  ['made of the language in disorder', soup, 40_000],
  ['a damaged example', damaged, 40_000],
  ['any UTF-16 at all', fc.string({ unit: 'binary', maxLength: 60 }), 20_000],
];

describe('a text of any kind', () => {
  it.each(KINDS)('gives a query or errors with their position when it is %s', (_, texts, numRuns) => {
    fc.assert(fc.property(texts, expectValid), { numRuns });
  });

  it('gives them at the longest length too, whatever is repeated', () => {
    for (const token of TOKENS) {
      for (const separator of ['', ' ']) expectValid(`${token}${separator}`.repeat(4096).slice(0, 4096));
    }
  });
});

const UNBOUNDED: Partial<CriteriaLimits> = { length: 1e7, clauses: 1e6, valueLength: 1e7, depth: 16, patterns: 1e6 };

/** Texts of the given size that a careless parser would scan repeatedly. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  'comparisons side by side': (size) => 'rating>3 '.repeat(size),
  'alternatives of several fields': (size) => Array(size).fill('ticker:BCT or rating>3 and not sdgs:13').join(' or '),
  'one list': (size) => `ticker in (${Array(size).fill('BCT').join(', ')})`,
  'one group': (size) => `ticker:(${Array(size).fill('BCT or not NCT and UBO').join(' or ')})`,
  'one group with commas': (size) => `ticker:(${Array(size).fill('BCT').join(',')})`,
  'ranges in brackets': (size) => 'rating:[3 TO 4} and sdgs not between 1 and 2 '.repeat(size),
  'patterns side by side': (size) => 'ticker:B* name:?arbon* not ticker like "B*T" '.repeat(size),
  'one pattern': (size) => `ticker like "a*${'bc'.repeat(size * 4)}*"`,
  'one pattern of escapes': (size) => `ticker like "a*${'\\*'.repeat(size * 4)}"`,
  'one quoted value of escapes': (size) => `ticker:"${'\\"'.repeat(size * 4)}"`,
  'one bare value of escapes': (size) => `ticker:${'\\*'.repeat(size * 4)}`,
  'one name': (size) => `${'x'.repeat(size * 8)}:1`,
  'words that stand alone': (size) => `name:${'carbon '.repeat(size)}`,
  'blanks before a word that stands alone': (size) => `name:x${' '.repeat(size * 8)}y`,
  'a quote that is never closed': (size) => `ticker:"${'""'.repeat(size * 4)}`,
  'dates with many colons': (size) => 'createdAt:2022-02-28T10:30:00+02:00 '.repeat(size),
};

const SMALL = 60;
const TIMES = 8;
/** Linear work gives a growth of 1, quadratic work one of 8. */
const MAX_GROWTH = 2;

/** Returns how many characters one call of a string's method scans. */
const COUNTED = {
  charAt: () => 1,
  charCodeAt: () => 1,
  codePointAt: () => 1,
  endsWith: () => 1,
  startsWith: () => 1,
  at: () => 1,
  slice: (_: string, made: unknown) => String(made).length,
  indexOf: (text: string, found: unknown) => (Number(found) < 0 ? text.length : Number(found)),
  includes: (text: string) => text.length,
  match: (text: string) => text.length,
  normalize: (text: string) => text.length,
  replace: (text: string) => text.length,
  replaceAll: (text: string) => text.length,
  search: (text: string) => text.length,
  split: (text: string) => text.length,
  toLowerCase: (text: string) => text.length,
  trim: (text: string) => text.length,
  trimEnd: (text: string) => text.length,
  [Symbol.iterator]: (text: string) => text.length,
} as const;

/** Counts the characters that are scanned to compile a text. Unlike time, the count is the same on every machine. */
function workOf(text: string): number {
  let work = 0;
  const { prototype } = String as unknown as { prototype: Record<PropertyKey, (...given: unknown[]) => unknown> };
  const originals = Reflect.ownKeys(COUNTED).map((name) => [name, prototype[name]] as const);
  const exec = RegExp.prototype.exec;
  for (const [name, original] of originals) {
    const counted = COUNTED[name as keyof typeof COUNTED] as (text: string, made: unknown) => number;
    prototype[name] = function (this: string, ...given: unknown[]) {
      const made = original?.apply(this, given);
      work += counted(this, made);
      return made;
    };
  }
  RegExp.prototype.exec = function (input: string) {
    const from = this.lastIndex;
    const found = exec.call(this, input);
    const isAnchored = this.sticky || this.source.startsWith('^');
    work += found === null ? (isAnchored ? 1 : input.length - from) : found.index + found[0].length - from;
    return found;
  };
  try {
    compile(text, goldenFields, UNBOUNDED);
  } finally {
    for (const [name, original] of originals) if (original !== undefined) prototype[name] = original;
    RegExp.prototype.exec = exec;
  }
  return work;
}

/** Returns the work for a long text relative to linear growth. */
function growthOf(shape: (size: number) => string): number {
  return workOf(shape(SMALL * TIMES)) / workOf(shape(SMALL)) / TIMES;
}

describe('the work for a text', () => {
  it.each(Object.entries(SHAPES))('grows with its length alone: %s', (_, shape) => {
    expect(growthOf(shape)).toBeLessThan(MAX_GROWTH);
  });

  it('grows with its length alone, whatever is repeated', () => {
    const texts = TOKENS.flatMap((token) => [token, `${token} `, `name:${token}`]);
    const growths = texts.map((text) => ({ text, growth: growthOf((size) => text.repeat(size)) }));
    expect(growths.filter(({ growth }) => growth >= MAX_GROWTH)).toEqual([]);
  });

  it('is at least one look at every character', () => {
    const texts = Object.values(SHAPES).map((shape) => shape(SMALL));
    expect(texts.filter((text) => workOf(text) < text.length)).toEqual([]);
  });
});
