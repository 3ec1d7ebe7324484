import fc from 'fast-check';
import { check } from './check/check.js';
import type { CheckedNode } from './check/typed-tree.js';
import { compile } from './criteria.js';
import { isAccepted } from './diagnostics/repairs.js';
import { opensCondition } from './diagnostics/source.js';
import { DEFAULT_LIMITS } from './limits.js';
import { parse } from './parse/parse.js';
import { golden, libraryFields } from './testing/golden.js';
import { matches } from './testing/matches.js';
import { documentsNear } from './testing/near.js';
import { seeded } from './testing/random.js';
import { followed, rewriteIn } from './testing/rewrites.js';

const { mistakes } = golden;
const compiled = (text: string) => compile(text, libraryFields);

function errorsOf(text: string) {
  const result = compiled(text);
  return result.ok ? [] : result.errors;
}

function treeOf(text: string): CheckedNode {
  const parsed = parse(text, DEFAULT_LIMITS);
  const checked = parsed.ok ? check(parsed.value, libraryFields, DEFAULT_LIMITS) : parsed;
  if (!checked.ok) throw new Error(`not accepted: ${text}`);
  return checked.value;
}

const expected = mistakes.flatMap(({ meant }) => (meant === undefined ? [] : [meant]));
const DOCUMENTS = documentsNear(seeded(5), expected.map(treeOf), libraryFields, 1500);

/** Returns the ids of the documents that a text selects. */
function select(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const tree = treeOf(text);
  return DOCUMENTS.flatMap((document) => (matches(tree, document) ? [document.id] : [])).join(' ');
}

/** Returns the hints of a text that propose a condition which is not valid. */
function brokenHints(text: string): readonly unknown[] {
  return errorsOf(text).flatMap(({ hint }) => {
    const rewrite = rewriteIn(hint) ?? '';
    const isCondition = libraryFields.find(/^\w*/.exec(rewrite)?.[0] ?? '') !== undefined && opensCondition(rewrite, 0);
    return isCondition && !rewrite.includes('…') && !isAccepted(rewrite, libraryFields) ? [[text, hint]] : [];
  });
}

describe('a mistake of somebody who knows another language', () => {
  it('is refused, and at least 300 are judged', () => {
    expect(mistakes.filter(({ criteria }) => compiled(criteria).ok)).toEqual([]);
    expect(new Set(mistakes.map(({ criteria }) => criteria)).size).toBeGreaterThanOrEqual(300);
  });

  it('is rewritten to what was meant, as the documents show, or not at all', () => {
    const wrong = mistakes.flatMap(({ criteria, meant, missed }) => {
      const rewrite = followed(criteria, errorsOf(criteria), compiled);
      return select(rewrite) === (missed ? undefined : select(meant)) ? [] : [{ criteria, rewrite, meant }];
    });
    expect(wrong).toEqual([]);
  });

  it('points to the parameter of the search that does it', () => {
    const pointed = mistakes.flatMap(({ criteria, parameter }) =>
      parameter === undefined ? [] : [{ criteria, parameter }],
    );
    const mute = pointed.filter(({ criteria, parameter }) => {
      return !errorsOf(criteria).some(({ hint = '' }) => hint.includes(parameter));
    });
    expect(pointed.length).toBeGreaterThan(20);
    expect(mute).toEqual([]);
  });

  it('is compared with documents that tell different meanings apart', () => {
    const blind = expected.filter((meant) => [0, DOCUMENTS.length].includes(select(meant)?.split(' ').length ?? 0));
    expect(blind.filter((meant) => select(meant) === '')).toEqual([]);
    expect(blind).toEqual([]);
  });

  it('gets no condition as its hint that is not valid itself, even when it is damaged further', () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...mistakes),
        fc.nat(60),
        fc.nat(3),
        fc.constantFrom('', ' ', '(', "'", 'x', '1', '*', ' and '),
      )
      .map(([{ criteria }, at, length, piece]) => criteria.slice(0, at) + piece + criteria.slice(at + length));
    expect(mistakes.flatMap(({ criteria }) => brokenHints(criteria))).toEqual([]);
    fc.assert(
      fc.property(damaged, (text) => expect(brokenHints(text)).toEqual([])),
      { numRuns: 5000 },
    );
  });
});
