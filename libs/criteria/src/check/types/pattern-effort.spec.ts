import { DEFAULT_LIMITS } from '../../limits.js';
import { isFeasible } from './pattern-effort.js';

const feasible = (pattern: string) => isFeasible(pattern, DEFAULT_LIMITS.patternEffort);

describe('the effort of a pattern', () => {
  it.each([
    '*a????????',
    '*carbon????????tonne',
    'a????????*b*c*d',
    '*abc????*abc????*',
    '????????*abc',
    `*${'a'.repeat(250)}`,
    `????????${'a'.repeat(240)}*`,
    `*${'a'.repeat(40)}????????`,
  ])('is small enough for %s', (pattern) => {
    expect(feasible(pattern)).toBe(true);
  });

  it.each([
    `*a????????${'a'.repeat(24)}`,
    `*a????${'a'.repeat(200)}`,
    `a*b????????${'b'.repeat(24)}`,
    '*ab?b?b?b?b?b?b?b?bbbbbbbbbbbbbbbbbbbbbbbbbbbb*a*',
  ])('is too large for %s', (pattern) => {
    expect(feasible(pattern)).toBe(false);
  });

  it('takes an escaped sign for a character', () => {
    expect(feasible(`\\*a????????${'a'.repeat(200)}`)).toBe(true);
    expect(feasible(`*a\\?\\?\\?\\?\\?\\?\\?\\?${'a'.repeat(200)}`)).toBe(true);
    expect(feasible(`*\\?????????${'\\?'.repeat(24)}`)).toBe(false);
  });

  it('adds up the sets that the index makes', () => {
    expect(isFeasible('*a?', 12)).toBe(true);
    expect(isFeasible('*a?', 11)).toBe(false);
  });
});
