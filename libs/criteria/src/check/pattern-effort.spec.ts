import { effortOf } from './pattern-effort.js';

const MOST = 10_000;

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
    expect(effortOf(pattern, MOST)).toBeLessThanOrEqual(MOST);
  });

  it.each([
    `*a????????${'a'.repeat(24)}`,
    `*a????${'a'.repeat(200)}`,
    `a*b????????${'b'.repeat(24)}`,
    '*ab?b?b?b?b?b?b?b?bbbbbbbbbbbbbbbbbbbbbbbbbbbb*a*',
  ])('is too large for %s', (pattern) => {
    expect(effortOf(pattern, MOST)).toBeGreaterThan(MOST);
  });

  it('is none without a ? behind a *, however long the pattern', () => {
    expect(effortOf(`????????${'a'.repeat(240)}*`, 0)).toBe(0);
    expect(effortOf(`*${'a'.repeat(60)}*${'a'.repeat(60)}*${'a'.repeat(60)}*${'a'.repeat(60)}`, 0)).toBe(0);
  });

  it('takes an escaped sign for a character', () => {
    expect(effortOf(`\\*a????????${'a'.repeat(200)}`, MOST)).toBe(0);
    expect(effortOf(`*a\\?\\?\\?\\?\\?\\?\\?\\?${'a'.repeat(200)}`, MOST)).toBe(0);
    expect(effortOf(`*\\?????????${'\\?'.repeat(24)}`, MOST)).toBeGreaterThan(MOST);
  });

  it.each(['aA', 'ßS', 'Æa', 'ﬀF', '⒨', '“"', '２2'])('is that of the folded characters: %s', (letters) => {
    expect(effortOf(`*${letters}???${letters.repeat(120)}`, MOST)).toBeGreaterThan(MOST);
  });

  it('leaves room for a few signs that may fold to several characters', () => {
    expect(effortOf('*“carbon”?', MOST)).toBeLessThanOrEqual(MOST);
    expect(effortOf('*100 €??', MOST)).toBeLessThanOrEqual(MOST);
  });

  it('adds up the sets that the index makes', () => {
    // {0,1} {0,1,2} {0,1,2,3} {0,1,3}: nothing, an a, an a and one more, and one more that is no a.
    expect(effortOf('*a?', MOST)).toBe(12);
  });
});
