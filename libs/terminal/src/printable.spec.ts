import fc from 'fast-check';
import { printable, printableJson, printableLines } from './printable.js';

const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

describe('text from strangers', () => {
  it('is shown as it is, but for what a terminal would obey', () => {
    expect(printable('Zürich 森林 🌳')).toBe('Zürich 森林 🌳');
    expect(printable('\u001b]0;title\u0007 \u009b31m \u202e \u200b \ud800')).toBe(
      '\\u{1b}]0;title\\u{7} \\u{9b}31m \\u{202e} \\u{200b} \\u{d800}',
    );
  });

  it('keeps its lines and tabs where it has lines', () => {
    expect(printableLines('a\tb\nc\rd')).toBe('a\tb\nc\\u{d}d');
  });

  it('is the same JSON, with nothing in it that a terminal would obey', () => {
    const anything = fc.oneof(
      fc.json({ stringUnit: 'binary' }),
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify({ text })),
    );
    fc.assert(
      fc.property(anything, fc.constantFrom(undefined, 2), (json, indent) => {
        const value = JSON.parse(json);
        const text = printableJson(value, indent);
        expect(JSON.parse(text)).toEqual(value);
        expect(OBEYED.test(text.replaceAll('\n', ''))).toBe(false);
      }),
    );
  });
});
