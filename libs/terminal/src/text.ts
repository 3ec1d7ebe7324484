import stringWidth from 'string-width';

/** Control, format, private-use and unpaired characters, and line separators: a terminal interprets or hides them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ELLIPSIS = '…';

/** Returns one line for a terminal: what it would interpret or hide is written as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** Returns the text for a terminal, with its lines and tabs kept. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
}

/** Returns JSON for a terminal: unprintable characters occur only within strings, where `\uXXXX` means the same. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return text.replace(UNPRINTABLE, (character) => (character === '\n' ? character : inUnits(character)));
}

/** Returns how many columns a text takes: two for a wide character, none for a combining accent. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Splits a text into the characters that a person sees, with their positions in UTF-16 code units. */
export function charactersOf(text: string): readonly { readonly at: number; readonly text: string }[] {
  return Array.from(graphemes.segment(text), ({ index, segment }) => ({ at: index, text: segment }));
}

/** Returns as much of a text as fits, with an ellipsis for the rest. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = widthOf(ELLIPSIS);
  for (const character of charactersOf(text)) {
    used += widthOf(character.text);
    if (used > width) break;
    kept += character.text;
  }
  return width < 1 ? '' : kept + ELLIPSIS;
}

/** Pads a text with spaces; a longer one stays as it is. */
export function padTo(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + spaces : spaces + text;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function inUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
