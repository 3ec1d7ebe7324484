import fc from 'fast-check';
import { randomCriteria } from '../reference/generate.js';
import { goldenFields } from '../reference/golden.js';
import { treeOf } from '../reference/test-select.js';
import { compileCriteria } from './compile-criteria.js';

const query = (text: string) => compileCriteria(treeOf(text));

/** Every object within a query, itself included. */
function partsOf(part: unknown): Record<string, unknown>[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(partsOf);
  return Array.isArray(part) ? inner : [part as Record<string, unknown>, ...inner];
}

/** `should` that is optional, and containers without content, which select everything. */
function isMisread(part: Record<string, unknown>): boolean {
  const isOptional = 'should' in part && Object.keys(part).sort().join() !== 'minimum_should_match,should';
  return (
    isOptional ||
    Object.entries(part).some(([name, value]) => name !== 'match_all' && ['[]', '{}'].includes(JSON.stringify(value)))
  );
}

describe('compiling', () => {
  it('merges equalities on one field among alternatives, at the place of the first', () => {
    expect(query('ticker:a or rating>3 or ticker:b or source:c')).toEqual({
      bool: {
        should: [
          { terms: { ticker: ['a', 'b'] } },
          { range: { rating: { gt: 3 } } },
          { term: { source: { value: 'c' } } },
        ],
        minimum_should_match: 1,
      },
    });
  });

  it('does not merge what must hold together, nor ranges of a field with many values', () => {
    expect(query('sdgs:13 and sdgs:15')).toEqual({
      bool: { filter: [{ term: { sdgs: { value: 13 } } }, { term: { sdgs: { value: 15 } } }] },
    });
    expect(query('vintages>=2019 vintages<=2021')).toEqual({
      bool: { filter: [{ range: { vintages: { gte: 2019 } } }, { range: { vintages: { lte: 2021 } } }] },
    });
  });

  it('keeps words apart from whole values of the same text', () => {
    expect(query('name:carbon or name = carbon or name = tonne')).toEqual({
      bool: {
        should: [{ match_phrase: { name: { query: 'carbon' } } }, { terms: { 'name.exact': ['carbon', 'tonne'] } }],
        minimum_should_match: 1,
      },
    });
  });

  it('puts negated terms beside the others', () => {
    expect(query('rating>3 and not ticker:a and not (source:b or source:c)')).toEqual({
      bool: {
        filter: [{ range: { rating: { gt: 3 } } }],
        must_not: [{ term: { ticker: { value: 'a' } } }, { terms: { source: ['b', 'c'] } }],
      },
    });
  });

  it('composes text to NFC, as the index was filled', () => {
    expect(query('ticker:"e\u0301"')).toEqual({ term: { ticker: { value: '\u00e9' } } });
    expect(query('name:"e\u0301"')).toEqual({ match_phrase: { name: { query: '\u00e9' } } });
  });

  it('never gives the index a clause it would read otherwise', () => {
    fc.assert(
      fc.property(fc.gen(), (generate) => {
        const text = randomCriteria((below) => generate(fc.nat, { max: below - 1 }), goldenFields);
        expect(partsOf(query(text)).filter(isMisread)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
