import { compilePattern } from './pattern.js';

describe('compiling a pattern', () => {
  it.each([
    ['bc*', 'bc'],
    ['a\\*b*', 'a*b'],
    ['a\\\\*', 'a\\'],
    ['\\?*', '?'],
  ])('asks for the prefix where %s fixes nothing else', (pattern, value) => {
    expect(compilePattern('f', pattern)).toEqual({ prefix: { f: { value } } });
  });

  it.each(['*bc', 'b*c', 'b*c*', 'b?*', 'b?', 'a\\**b', '**a', 'a**'])('keeps %s, escapes and all', (pattern) => {
    expect(compilePattern('f', pattern)).toEqual({ wildcard: { f: { value: pattern } } });
  });
});
