import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const CUT = '…';

/** How many columns of a terminal a text takes: two for a wide character, none for an accent put on another. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** What a person takes for one character each, with its place in the text in UTF-16 units. */
export function charactersOf(text: string): readonly { readonly at: number; readonly text: string }[] {
  return Array.from(graphemes.segment(text), ({ index, segment }) => ({ at: index, text: segment }));
}

/** As much of a text as fits, with an ellipsis in place of the rest. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = widthOf(CUT);
  for (const character of charactersOf(text)) {
    used += widthOf(character.text);
    if (used > width) break;
    kept += character.text;
  }
  return width < 1 ? '' : kept + CUT;
}

/** A text that takes as many columns as wanted, filled with spaces; a longer one stays as it is. */
export function padTo(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + spaces : spaces + text;
}
