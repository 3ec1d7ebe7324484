import { compile } from '../../compile.js';
import { goldenFields } from '../../reference/golden.js';

const codesOf = (text: string, limits = {}) => {
  const compiled = compile(text, goldenFields, limits);
  return compiled.ok ? 'accepted' : compiled.errors.map(({ code }) => code);
};

describe('a pattern', () => {
  it.each(['ticker:', 'name = ', 'name:', 'description:', 'name like '])(
    'after %s holds four * and not five',
    (before) => {
      expect(codesOf(`${before}a*b*c*d*`)).toBe('accepted');
      expect(codesOf(`${before}a*b*c*d*e*`)).toEqual(['PATTERN_TOO_BROAD']);
    },
  );

  it('holds eight ? and not nine', () => {
    expect(codesOf(`ticker:a${'?'.repeat(8)}`)).toBe('accepted');
    expect(codesOf(`ticker:a${'?'.repeat(9)}`)).toEqual(['PATTERN_TOO_BROAD']);
  });

  it.each(['*', '?'])('that starts with %s holds three other characters', (first) => {
    expect(codesOf(`ticker:${first}abc`)).toBe('accepted');
    expect(codesOf(`ticker:${first}a*b`)).toEqual(['PATTERN_TOO_BROAD']);
  });

  it('holds at least one character that is no wildcard', () => {
    expect(codesOf('ticker:a*')).toBe('accepted');
    expect(codesOf('ticker:**')).toEqual(['PATTERN_TOO_BROAD']);
  });

  it('counts escaped signs as characters, and characters of two units once', () => {
    expect(codesOf('ticker:*\\*\\?\\\\')).toBe('accepted');
    expect(codesOf('ticker:*\\*\\?')).toEqual(['PATTERN_TOO_BROAD']);
    expect(codesOf('ticker:*🌳🌳🌳')).toBe('accepted');
    expect(codesOf('ticker:*🌳🌳')).toEqual(['PATTERN_TOO_BROAD']);
  });

  it('counts the characters that the index will see', () => {
    expect(codesOf('name:*ßa')).toBe('accepted');
    expect(codesOf('name:*e\u0301e\u0301')).toEqual(['PATTERN_TOO_BROAD']);
  });

  it('comes eight times in one text; the ninth is blamed, and no other after it', () => {
    const eight = Array(8).fill('ticker:a*').join(' ');
    expect(codesOf(eight)).toBe('accepted');
    expect(codesOf(`${eight} name like "b*" description:c* `)).toEqual(['TOO_MANY_PATTERNS']);
    expect(codesOf(`${eight} ticker:"a*" ticker:*`)).toBe('accepted');
  });

  it('costs the index a bounded effort, whatever its signs', () => {
    expect(codesOf('ticker:*abc????????')).toBe('accepted');
    expect(codesOf(`ticker:*a????????${'a'.repeat(24)}`)).toEqual(['PATTERN_TOO_BROAD']);
    expect(codesOf('ticker:*abc?', { patternEffort: 3 })).toEqual(['PATTERN_TOO_BROAD']);
  });

  it('shares that effort with the others in the text: the one that passes the limit is blamed', () => {
    const three = Array(3).fill('ticker:*a????????aa').join(' or ');
    expect(codesOf('ticker:*a????????aa or ticker:*a????????aa')).toBe('accepted');
    expect(compile(three, goldenFields)).toMatchObject({ errors: [{ code: 'PATTERN_TOO_BROAD', position: 53 }] });
    expect(codesOf(Array(8).fill('ticker:*abc????????').join(' or '))).toBe('accepted');
  });

  it('may be limited otherwise', () => {
    expect(codesOf('ticker:a*b*', { patternStars: 1 })).toEqual(['PATTERN_TOO_BROAD']);
    expect(codesOf('ticker:a??', { patternQuestions: 1 })).toEqual(['PATTERN_TOO_BROAD']);
    expect(codesOf('ticker:a*', { patternLiterals: 2 })).toEqual(['PATTERN_TOO_BROAD']);
    expect(codesOf('ticker:*a', { leadingPatternLiterals: 1 })).toBe('accepted');
    expect(codesOf('ticker:a*', { patterns: 0 })).toEqual(['TOO_MANY_PATTERNS']);
  });
});
