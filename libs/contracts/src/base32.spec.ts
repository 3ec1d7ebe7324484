import fc from 'fast-check';
import { decodeBase32, encodeBase32 } from './base32.js';

describe('base32', () => {
  it('shows the last bits of bytes, five a letter, in Crockford’s order', () => {
    expect(encodeBase32(Uint8Array.of(0b11), 1)).toBe('3');
    expect(encodeBase32(Uint8Array.of(0xff, 0xff), 3)).toBe('zzz');
    expect(encodeBase32(Uint8Array.of(1, 0), 3)).toBe('080');
    expect([...Array(32).keys()].map((value) => encodeBase32(Uint8Array.of(value), 1)).join('')).toBe(
      '0123456789abcdefghjkmnpqrstvwxyz',
    );
  });

  it('gives back every 17 bytes of which the first holds two bits', () => {
    const bytes = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
      .map(([kind, rest]) => Buffer.from([kind, ...rest]));
    fc.assert(
      fc.property(bytes, (given) => {
        expect(decodeBase32(encodeBase32(given, 26), 17)).toEqual(given);
      }),
    );
  });

  it.each(['i', 'l', 'o', 'u', 'A', ' ', '🌳'])('does not know the letter %j', (letter) => {
    expect(decodeBase32(`0${letter}`, 2)).toBeUndefined();
  });
});
