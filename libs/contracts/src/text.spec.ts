import { codePoints, plainText } from './text.js';

const reference = plainText(1, 256);

describe('plain text', () => {
  it('counts code points, not UTF-16 units', () => {
    expect(codePoints('🌳é')).toBe(2);
    expect(reference.safeParse('🌳'.repeat(256)).success).toBe(true);
    expect(reference.safeParse('🌳'.repeat(257)).success).toBe(false);
  });

  it.each(['', 'a'.repeat(257), 'a\u0000', 'line\nbreak', '\u007f', '\u0085', '\ud800', '\udc00a'])(
    'refuses %j',
    (text) => {
      expect(reference.safeParse(text).success).toBe(false);
    },
  );

  it.each([' ', 'u-1', 'O’Brien', '\u200b', '한국어'])('takes %j', (text) => {
    expect(reference.safeParse(text).success).toBe(true);
  });
});
