import fc from 'fast-check';
import { type Compiled, compile } from './compile.js';
import { CRITERIA_ERROR_CODES, type CriteriaError, toErrorItem } from './errors/criteria-error.js';
import { snippet } from './errors/snippet.js';
import { golden, goldenFields } from './reference/golden.js';

const TOKENS = `ticker rating name vintages createdAt active address zzz in not and or null exists like between is to
eq ne gt BCT 3 -3 .5 1e9 2022-02 2022-02-28T10:30:00+02:00 true 0xab : = == != <> >= < > ( ) [ ] { } , .. ... * ? " ' \\ \\" & &&
| || ! - + ~ ^ ; / \` “ ” ’ é 漢 🌳 \u0000 \u0007 \u00a0 \u200b \ufeff \ud800 \udc00 __proto__ constructor toString $ % @ #`.split(
  /\s+/,
);

const soup = fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.constantFrom(' ', '', '  ', '\n')), { maxLength: 40 });

/** An example with one piece cut out and another put in. */
const damaged = fc
  .tuple(fc.constantFrom(...golden.valid, ...golden.invalid), fc.nat(60), fc.nat(4), fc.constantFrom('', ...TOKENS))
  .map(([{ criteria }, at, length, piece]) => criteria.slice(0, at) + piece + criteria.slice(at + length));

const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\ufeff]|undefined|NaN|\[object/u;

/** Every value in a query that is no object. */
function leavesOf(part: unknown): unknown[] {
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(leavesOf) : [part];
}

/** What is wrong with an answer; a list, so that thousands of texts need one expectation each. */
function faultsOf(text: string, compiled: Compiled): unknown[] {
  if (compiled.ok) return leavesOf(compiled.query).filter((leaf) => !isSoundLeaf(leaf));
  const { errors } = compiled;
  const strange = errors.filter((error) => !isSoundError(text, error));
  const picture = snippet(text, errors).replace('\n', '');
  return [
    ...strange,
    ...(errors.length < 1 || errors.length > 10 ? [errors.length] : []),
    ...(picture.match(UNSAFE) ?? []),
  ];
}

function isSoundLeaf(leaf: unknown): boolean {
  if (typeof leaf === 'number') return Number.isFinite(leaf) && !Object.is(leaf, -0);
  return typeof leaf === 'string' || typeof leaf === 'boolean';
}

function isSoundError(text: string, error: CriteriaError): boolean {
  const { allowed: _, ...item } = toErrorItem(error);
  const isWithin = error.position >= 0 && error.length >= 0 && error.position + error.length <= text.length;
  return isWithin && CRITERIA_ERROR_CODES.includes(error.code) && !UNSAFE.test(Object.values(item).join(' '));
}

function expectSound(text: string): void {
  expect([text, faultsOf(text, compile(text, goldenFields))]).toEqual([text, []]);
}

describe('a text of any kind', () => {
  it('gives a query or located mistakes when it is made of the language in disorder', () => {
    fc.assert(
      fc.property(soup, (tokens) => {
        expectSound(tokens.join(''));
      }),
      { numRuns: 3000 },
    );
  });

  it('gives a query or located mistakes when an example is damaged', () => {
    fc.assert(
      fc.property(damaged, (text) => expectSound(text)),
      { numRuns: 3000 },
    );
  });

  it('gives a query or located mistakes when it is any UTF-16 at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expectSound(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('ends within a moment at the longest length, whatever is repeated', () => {
    for (const token of TOKENS) {
      for (const separator of ['', ' ']) {
        const text = `${token}${separator}`.repeat(4096).slice(0, 4096);
        const start = performance.now();
        expectSound(text);
        expect(performance.now() - start).toBeLessThan(1000);
      }
    }
  });
});
