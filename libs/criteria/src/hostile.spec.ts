import fc from 'fast-check';
import { type Compiled, compile } from './compile.js';
import { CRITERIA_ERROR_CODES, type CriteriaError, toErrorItem } from './errors/criteria-error.js';
import { snippet } from './errors/snippet.js';
import { golden, goldenFields } from './reference/golden.js';

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
/** Processor time, far above what any text takes: only one that never ends, or nearly so, exceeds it. */
const MAX_CPU_MS = 1_000;
const MAX_MEAN_CPU_MS = 1;

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

/** Whatever is thrown fails the test with its text. @returns the processor time of the text, in ms */
function expectSound(text: string): number {
  const start = process.cpuUsage();
  const compiled = compile(text, goldenFields);
  const { user, system } = process.cpuUsage(start);
  const cpuMs = (user + system) / 1_000;
  const faults = [...faultsOf(text, compiled), ...(cpuMs < MAX_CPU_MS ? [] : [cpuMs])];
  if (faults.length > 0) expect([text, faults]).toEqual([text, []]);
  return cpuMs;
}

/** Together 100,000 texts. */
const KINDS: readonly (readonly [string, fc.Arbitrary<string>, number])[] = [
  ['made of the language in disorder', soup, 40_000],
  ['a damaged example', damaged, 40_000],
  ['any UTF-16 at all', fc.string({ unit: 'binary', maxLength: 60 }), 20_000],
];

describe('a text of any kind', () => {
  it.each(KINDS)('gives a query or located mistakes, at once, when it is %s', (_, texts, numRuns) => {
    let cpuMs = 0;
    const sound = fc.property(texts, (text) => {
      cpuMs += expectSound(text);
    });
    fc.assert(sound, { numRuns });
    expect(cpuMs / numRuns).toBeLessThan(MAX_MEAN_CPU_MS);
  });

  it('ends within a moment at the longest length, whatever is repeated', () => {
    for (const token of TOKENS) {
      for (const separator of ['', ' ']) expectSound(`${token}${separator}`.repeat(4096).slice(0, 4096));
    }
  });
});
