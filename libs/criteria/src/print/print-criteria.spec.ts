import fc from 'fast-check';
import { wholePattern } from '../check/types/whole-pattern.js';
import { compileCriteria } from '../compile/compile-criteria.js';
import { randomCriteria } from '../reference/generate.js';
import { golden, goldenFields } from '../reference/golden.js';
import { treeOf } from '../reference/test-select.js';
import { printCriteria } from './print-criteria.js';

/** Printing and reading again must change neither the query nor the text. */
function expectRoundTrip(text: string): void {
  const tree = treeOf(text);
  const printed = printCriteria(tree);
  const again = treeOf(printed);
  expect([printed, compileCriteria(again)]).toEqual([printed, compileCriteria(tree)]);
  expect(printCriteria(again)).toBe(printed);
}

describe('the canonical form', () => {
  it.each(golden.valid)('reads back to the same query: $criteria', ({ criteria }) => {
    expectRoundTrip(criteria);
  });

  it('reads back to the same query, whatever was written', () => {
    fc.assert(
      fc.property(fc.gen(), (generate) => {
        expectRoundTrip(randomCriteria((below) => generate(fc.nat, { max: below - 1 }), goldenFields));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps any text of a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const value = text.toWellFormed().normalize('NFC');
        const tree = treeOf(
          printCriteria({ kind: 'equal', field: { name: 'ticker', type: 'keyword', multi: false }, value }),
        );
        expect(tree).toMatchObject({ kind: 'equal', value });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps any text within a pattern', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const plain = text.toWellFormed().normalize('NFC');
        const pattern = `a*${wholePattern(plain.replaceAll(/[\\*?]/g, '\\$&'))}`;
        const tree = treeOf(
          printCriteria({
            kind: 'pattern',
            field: { name: 'ticker', type: 'keyword', multi: false },
            on: 'whole',
            pattern,
          }),
        );
        expect(tree).toMatchObject({ kind: 'pattern', on: 'whole', pattern });
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [{ gt: 1, lt: 2 }, 'rating:{1 TO 2}'],
    [{ gte: 1, lt: 2 }, 'rating:[1 TO 2}'],
    [{ gt: -1, lte: 1e21 }, 'rating:{-1 TO 1e+21]'],
    [{ gte: 0, lte: 0 }, 'rating:[0 TO 0]'],
    [{ gt: 1 }, 'rating > 1'],
    [{ gte: 1 }, 'rating >= 1'],
    [{ lt: 1 }, 'rating < 1'],
    [{ lte: 1 }, 'rating <= 1'],
  ])('writes the bounds %j as %s', (bounds, printed) => {
    const node = { kind: 'range', field: { name: 'rating', type: 'number', multi: false }, bounds } as const;
    expect(printCriteria(node)).toBe(printed);
    expect(treeOf(printed)).toMatchObject({ kind: 'range', bounds });
  });

  it('keeps any finite number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(treeOf(`rating = ${number}`)).toMatchObject({ kind: 'equal', value: number + 0 });
      }),
    );
  });
});
