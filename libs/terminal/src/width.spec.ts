import fc from 'fast-check';
import { cutTo, padTo, widthOf } from './width.js';

describe('text on a terminal', () => {
  it('is cut between characters, never within one', () => {
    expect(cutTo('Nature', 6)).toBe('Nature');
    expect(cutTo('Nature', 5)).toBe('Natu…');
    expect(cutTo('森林公園', 6)).toBe('森林…');
    expect(cutTo('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(cutTo('Nature', 0)).toBe('');
  });

  it('never takes more columns than it is cut to, and exactly as many as it is filled up to', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, width) => {
        const cut = cutTo(text, width);
        expect(widthOf(cut)).toBeLessThanOrEqual(width);
        expect(widthOf(padTo(cut, width))).toBe(width);
        expect(widthOf(padTo(cut, width, 'right'))).toBe(width);
      }),
    );
  });
});
