import { clausesIn, MOST_CLAUSES } from './clauses.js';
import { criteriaFilter } from './criteria-filter.js';
import { readFullText } from './full-text/terms.js';
import { fullTextQuery } from './full-text/tiers.js';

const inCriteria = (criteria: string) => clausesIn(criteriaFilter(criteria, 'POOL').query);
const inText = (text: string) => clausesIn(fullTextQuery(readFullText(text)));
const letters = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => String.fromCodePoint(from + place));
const distinct = (number: number) => `${String.fromCharCode(97 + (number % 26), 97 + Math.floor(number / 26))}bcdefg`;

describe('clausesIn', () => {
  it.each([
    ['', 1],
    ['rating>1', 2],
    ['ticker in (a, b, c)', 1],
    ['rating in (1, 2)', 2],
    ['name:base', 1],
    ['name:ba* ticker:b?t address:0xab*', 3],
    ['rating>1 or rating>2', 4],
    ['source:a and not ticker:a', 2],
    ['not ticker:a', 2],
    ['not ticker:a or not source:b', 4],
    ['not rating>1', 3],
    ['not rating:1..2', 4],
    ['not rating in (1, 2)', 6],
  ])('counts the criteria %j as %d', (criteria, clauses) => {
    expect(inCriteria(criteria)).toBe(clauses);
  });

  it.each([
    // One for the tickers and one for the whole name, then one in each of five tiers; in the last two tiers one for every
    // other way to write the word and, where slips are forgiven, two more in the very last.
    ['bct', 2 + 5],
    ['bct nct', 2 + 10 + 4],
    ['"base carbon tonne"', 2 + 5],
    ['mangrove', 2 + 5 + 2 * 5 + 2],
    ['co-benefit', 2 + 5 + 2 + 3],
    ['森林森林', 2 + 5 + 8],
  ])('counts the words %j as %d', (text, clauses) => {
    expect(inText(text)).toBe(clauses);
  });

  it.each([
    ['single letters', letters(0xac00, 128).join(' ')],
    ['Han characters', letters(0x4e00, 256).join('')],
    ['Han words', Array.from({ length: 51 }, (_, word) => letters(0x4e00 + word * 4, 4).join('')).join(' ')],
    ['short words', Array.from({ length: 51 }, (_, word) => `ab${letters(0x61 + (word % 26), 2).join('')}`).join(' ')],
    ['words of three letters', Array.from({ length: 64 }, (_, word) => distinct(word).slice(0, 3)).join(' ')],
    ['words of eight letters', Array.from({ length: 28 }, (_, word) => distinct(word)).join(' ')],
    ['long words', Array.from({ length: 12 }, (_, word) => distinct(word).repeat(3).slice(0, 20)).join(' ')],
    ['joined letters', `abcd-${letters(0x4e00, 126).join('-')}`],
  ])('leaves room for every text by itself: %s', (_, text) => {
    expect([...text].length).toBeLessThanOrEqual(256);
    expect(inText(text)).toBeLessThan(MOST_CLAUSES * 0.7);
  });
});
