import fc from 'fast-check';
import { goldenFields } from '../reference/golden.js';
import { editDistance } from './edit-distance.js';
import { suggestField } from './suggest.js';

describe('suggesting a field', () => {
  it.each([
    ['registry_id', 'registryId'],
    ['created-at', 'createdAt'],
    ['created.at', 'createdAt'],
    ['symbol', 'ticker'],
    ['SDG', 'sdgs'],
    ['vintage', 'vintages'],
    ['score', 'rating'],
    ['title', 'name'],
    ['cost', 'price'],
    ['tiker', 'ticker'],
    ['tikcer', 'ticker'],
    ['ratng', 'rating'],
    ['nmae', 'name'],
    ['desription', 'description'],
  ])('takes %s for %s', (name, field) => {
    expect(suggestField(name, goldenFields)).toBe(field);
  });

  it.each(['zzz', 'sgd2', 'nxxe', 'constructor', '__proto__', 'x'.repeat(4000)])('takes %s for nothing', (name) => {
    expect(suggestField(name, goldenFields)).toBeUndefined();
  });
});

describe('the edit distance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['abc', 'abcd', 1],
    ['abcd', 'bcd', 1],
    ['abcd', 'badc', 2],
    ['kitten', 'sitting', 3],
  ])('between %j and %j is %d', (left, right, distance) => {
    expect(editDistance(left, right, 9)).toBe(distance);
  });

  it('is the same both ways and at most the longer length', () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(editDistance(left, right, 99)).toBe(editDistance(right, left, 99));
        expect(editDistance(left, right, 99)).toBeLessThanOrEqual(Math.max(left.length, right.length));
      }),
    );
  });

  it('is the bound when the words are further apart', () => {
    expect(editDistance('abc', 'xyz', 2)).toBe(2);
    expect(editDistance('a', 'abcdefgh', 3)).toBe(3);
  });
});
