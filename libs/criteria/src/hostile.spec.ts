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
\u0000 \u0007 \u00a0 \u0301 \u200b \ufeff \ud800 \udc00 __proto__ constructor toString $ % @ # contains( exists( has: _exists_: =gt= =>`.split(
    /[ \n]+/,
  );

const soup = fc
  .array(fc.oneof(fc.constantFrom(...TOKENS), fc.constantFrom(' ', '', '  ', '\n')), { maxLength: 40 })
  .map((tokens) => tokens.join(''));

/** An example with one piece cut out and another put in. */
const damaged = fc
  .tuple(fc.constantFrom(...golden.valid, ...golden.invalid), fc.nat(60), fc.nat(4), fc.constantFrom('', ...TOKENS))
  .map(([{ criteria }, at, length, piece]) => criteria.slice(0, at) + piece + criteria.slice(at + length));

const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\ufeff]|undefined|NaN|\[object/u;
/** A canonical form may be longer and nested deeper than the text it comes from. */
const WIDE = { length: 100_000, depth: 100 };

/** What is wrong with an answer; a list, so that thousands of texts need one expectation each. */
function faultsOf(text: string, compiled: Compiled): unknown[] {
  if (compiled.ok) return [...leavesOf(compiled.query).filter((leaf) => !isSoundLeaf(leaf)), ...unlike(compiled)];
  const { errors } = compiled;
  const strange = errors.filter((error) => !isSoundError(text, error));
  const picture = snippet(text, errors).replace('\n', '');
  return [
    ...strange,
    ...(errors.length < 1 || errors.length > 10 ? [errors.length] : []),
    ...(picture.match(UNSAFE) ?? []),
  ];
}

/** Every value in a query that is no object. */
function leavesOf(part: unknown): unknown[] {
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(leavesOf) : [part];
}

function isSoundLeaf(leaf: unknown): boolean {
  if (typeof leaf === 'number') return Number.isFinite(leaf) && !Object.is(leaf, -0);
  return typeof leaf === 'boolean' || (typeof leaf === 'string' && leaf.isWellFormed());
}

/** What the canonical form is compiled to, where that is not the same. */
function unlike(compiled: Extract<Compiled, { ok: true }>): unknown[] {
  const again = compile(compiled.canonical, goldenFields, WIDE);
  return JSON.stringify(again) === JSON.stringify(compiled) ? [] : [again];
}

function isSoundError(text: string, error: CriteriaError): boolean {
  const { allowed: _, ...item } = toErrorItem(error);
  const isWithin = error.position >= 0 && error.length >= 0 && error.position + error.length <= text.length;
  return isWithin && CRITERIA_ERROR_CODES.includes(error.code) && !UNSAFE.test(Object.values(item).join(' '));
}

/** Whatever is thrown fails the test with its text. */
function expectSound(text: string): void {
  const faults = faultsOf(text, compile(text, goldenFields));
  if (faults.length > 0) expect([text, faults]).toEqual([text, []]);
}

/** Together 100,000 texts. */
const KINDS: readonly (readonly [string, fc.Arbitrary<string>, number])[] = [
  ['made of the language in disorder', soup, 40_000],
  ['a damaged example', damaged, 40_000],
  ['any UTF-16 at all', fc.string({ unit: 'binary', maxLength: 60 }), 20_000],
];

describe('a text of any kind', () => {
  it.each(KINDS)('gives a query or located mistakes when it is %s', (_, texts, numRuns) => {
    fc.assert(fc.property(texts, expectSound), { numRuns });
  });

  it('gives them at the longest length too, whatever is repeated', () => {
    for (const token of TOKENS) {
      for (const separator of ['', ' ']) expectSound(`${token}${separator}`.repeat(4096).slice(0, 4096));
    }
  });
});

const UNBOUNDED: Partial<CriteriaLimits> = { length: 1e7, clauses: 1e6, valueLength: 1e7, depth: 16, patterns: 1e6 };

/** Texts of the given size that a careless parser would pass over again and again. */
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

const SMALL = 400;
const TIMES = 16;
/** Linear work gives a growth of 1, quadratic work one of 16; the rest is room for what the engine does beside. */
const MAX_GROWTH = 5;
/** Less cannot be told from nothing. */
const MIN_CPU_MS = 0.2;
const LOOKS = 6;

/** Milliseconds of processor time: those of the clock would measure what else the machine does. */
function cpuMsOf(text: string): number {
  const start = process.cpuUsage();
  compile(text, goldenFields, UNBOUNDED);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * How many times more work a long text is than if work grew with length alone. Whatever else the process does, such as
 * collecting garbage, can only add to one look, so the least of several counts.
 */
function growthOf(shape: (size: number) => string): number {
  const [small, large] = [shape(SMALL), shape(SMALL * TIMES)];
  const least = Math.min(...Array.from({ length: LOOKS }, () => cpuMsOf(small)));
  const linear = Math.max(least, MIN_CPU_MS) * TIMES;
  let growth = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS && growth >= MAX_GROWTH; look++) growth = Math.min(growth, cpuMsOf(large) / linear);
  return growth;
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
});
