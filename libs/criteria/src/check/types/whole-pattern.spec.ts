import { wholePattern } from './whole-pattern.js';

describe('a pattern for a whole value', () => {
  it('keeps its letters, which the index folds itself', () => {
    expect(wholePattern('*São Tomé?')).toBe('*São Tomé?');
  });

  it('is composed as the values are', () => {
    expect(wholePattern('e\u0301*')).toBe('\u00e9*');
  });

  it('holds no wildcard but the two signs: what the index folds to them is escaped', () => {
    expect(wholePattern('a＊b？＼⁎⁇⁈⁉*')).toBe('a\\*b\\?\\\\\\*\\?\\?\\?!!\\?*');
  });
});
