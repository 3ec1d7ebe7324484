import { clausesIn, MOST_CLAUSES } from './clauses.js';
import { criteriaFilter } from './criteria-filter.js';
import { readFullText } from './full-text/terms.js';
import { fullTextQuery } from './full-text/tiers.js';

const inCriteria = (criteria: string) => clausesIn(criteriaFilter(criteria, 'POOL').query);
const inText = (text: string) => clausesIn(fullTextQuery(readFullText(text)));
const letters = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => String.fromCodePoint(from + place));

describe('clausesIn', () => {
  it.each([
    ['', 1],
    ['rating>1', 2],
    ['ticker in (a, b, c)', 2],
    ['name:base', 1],
    ['rating>1 or rating>2', 4],
    ['not ticker:a', 3],
    ['not rating>1', 5],
    ['not ticker:a or not source:b', 6],
  ])('counts the criteria %j as %d', (criteria, clauses) => {
    expect(inCriteria(criteria)).toBe(clauses);
  });

  it.each([
    // Two for the tickers, one in each of four tiers and, where slips are forgiven, two in the last.
    ['bct', 2 + 5],
    ['bct nct', 2 + 10],
    ['"base carbon tonne"', 2 + 5],
    ['mangrove', 2 + 4 + 2],
    ['co-benefit', 2 + 5 + 3],
    ['森林森林', 2 + 4 + 8],
  ])('counts the words %j as %d', (text, clauses) => {
    expect(inText(text)).toBe(clauses);
  });

  it.each([
    ['single letters', letters(0xac00, 128).join(' ')],
    ['Han characters', letters(0x4e00, 256).join('')],
    ['Han words', Array.from({ length: 51 }, (_, word) => letters(0x4e00 + word * 4, 4).join('')).join(' ')],
    ['short words', Array.from({ length: 51 }, (_, word) => `ab${letters(0x61 + (word % 26), 2).join('')}`).join(' ')],
    ['joined letters', `abcd-${letters(0x4e00, 126).join('-')}`],
  ])('leaves room for every text by itself: %s', (_, text) => {
    expect([...text].length).toBeLessThanOrEqual(256);
    expect(inText(text)).toBeLessThan(MOST_CLAUSES * 0.7);
  });
});
