import fc from 'fast-check';
import { checkCriteria } from './check/check.js';
import type { CheckedNode } from './check/typed-tree.js';
import { compile } from './criteria.js';
import { parseCriteria } from './parse/parse.js';
import { golden, libraryFields } from './testing/golden.js';
import { matches } from './testing/matches.js';
import { documentsNear } from './testing/near.js';
import { seeded } from './testing/random.js';
import { changed, rewritten } from './testing/rewrites.js';

const { mistakes } = golden;
const compiled = (text: string) => compile(text, libraryFields);

function errorsOf(text: string) {
  const result = compiled(text);
  return result.ok ? [] : result.errors;
}

function treeOf(text: string): CheckedNode {
  const parsed = parseCriteria(text);
  const checked = parsed.ok ? checkCriteria(parsed.value, libraryFields) : parsed;
  if (!checked.ok) throw new Error(`not accepted: ${text}`);
  return checked.value;
}

const expected = mistakes.flatMap(({ meant }) => (meant === undefined ? [] : [meant]));
const DOCUMENTS = documentsNear(seeded(5), expected.map(treeOf), libraryFields, 1500);

/** Returns the ids of the documents that a text selects. */
function select(text: string): string {
  const tree = treeOf(text);
  return DOCUMENTS.flatMap((document) => (matches(tree, document) ? [document.id] : [])).join(' ');
}

const madeOf = (criteria: string) => rewritten(criteria, compiled);

/** Whether a text becomes what was meant; where another error is left, or a hint has a second choice, whether that is proposed. */
function proposes(criteria: string, meant: string): boolean {
  const [made, errors, selected] = [madeOf(criteria), errorsOf(criteria), select(meant)];
  if (compiled(made).ok) return select(made) === selected || errors.some(({ hint }) => hint?.includes(` or ${meant}`));
  const texts = errors.flatMap(({ rewrite }) => rewrite?.text ?? []);
  return (
    texts.some((text) => compiled(text).ok && select(text) === selected) ||
    errors.some(({ hint }) => hint?.includes(meant))
  );
}

/** Returns the rewrites of a text that leave an error in their place, or that its hint does not show. */
function brokenRewrites(text: string): readonly unknown[] {
  return errorsOf(text).flatMap(({ hint, suggestion, rewrite }) => {
    if (rewrite === undefined) return [];
    const end = rewrite.position + rewrite.text.length;
    const left = errorsOf(changed(text, rewrite)).filter(
      ({ position, length }) => position < end && position + length > rewrite.position,
    );
    const isShown = rewrite.text === suggestion || hint?.includes(rewrite.text.trim());
    return left.length > 0 || !isShown ? [[text, rewrite, hint]] : [];
  });
}

describe('a mistake of somebody who knows another language', () => {
  it('is refused, and at least 300 are judged', () => {
    expect(mistakes.filter(({ criteria }) => compiled(criteria).ok)).toEqual([]);
    expect(new Set(mistakes.map(({ criteria }) => criteria)).size).toBeGreaterThanOrEqual(300);
  });

  it('is rewritten to what was meant, as the documents show, or not at all', () => {
    const wrong = mistakes.flatMap(({ criteria, meant, missed }) => {
      const isKnown = meant !== undefined && !missed;
      const isRight = isKnown ? proposes(criteria, meant) : !compiled(madeOf(criteria)).ok;
      return isRight ? [] : [{ criteria, meant, made: madeOf(criteria) }];
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
    const blind = expected.filter((meant) => [0, DOCUMENTS.length].includes(select(meant).split(' ').length));
    expect(blind.filter((meant) => select(meant) === '')).toEqual([]);
    expect(blind).toEqual([]);
  });

  it('leaves no error where its rewrite was applied, even when it is damaged further', () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...mistakes),
        fc.nat(60),
        fc.nat(3),
        fc.constantFrom('', ' ', '(', "'", 'x', '1', '*', ' and '),
      )
      .map(([{ criteria }, at, length, piece]) => criteria.slice(0, at) + piece + criteria.slice(at + length));
    expect(mistakes.flatMap(({ criteria }) => brokenRewrites(criteria))).toEqual([]);
    fc.assert(
      fc.property(damaged, (text) => expect(brokenRewrites(text)).toEqual([])),
      { numRuns: 5000 },
    );
  });
});
