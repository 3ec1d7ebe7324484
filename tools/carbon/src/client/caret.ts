import { charactersOf, printable, widthOf } from '@carbon/terminal';

/** A part of a text, in UTF-16 code units from 0. */
export interface Span {
  readonly position: number;
  readonly length: number;
}

/** A character as it is printed. */
interface Cell {
  readonly text: string;
  readonly width: number;
  readonly isMarked: boolean;
}

const TAB = '    ';
const ELLIPSIS = '…';
/** The share of a line before the error when the line is too long to be printed whole. */
const LEAD = 0.4;

/**
 * Returns the line of a text that holds a span, and carets in the columns below it. Of a line that is too long, it is the
 * part around the span. For something that is missing at an end, the caret is there.
 */
export function underlined(text: string, { position, length }: Span, room: number): readonly [string, string] {
  const start = text.slice(0, position).lastIndexOf('\n') + 1;
  const [line = ''] = text.slice(start).split('\n', 1);
  const begin = Math.min(position - start, line.length);
  const cells = cellsOf(line, begin, Math.min(begin + Math.max(1, length), line.length));
  if (begin === line.length) cells.push({ text: ' ', width: 1, isMarked: true });
  const { before, visible, after } = windowOf(cells, room);
  const marks = visible.map(({ isMarked, width }) => (isMarked ? '^' : ' ').repeat(width)).join('');
  const carets = marks.includes('^') ? marks : caretWithoutWidth(visible);
  const shown = visible.map((cell) => cell.text).join('');
  return [`${before}${shown}${after}`.trimEnd(), `${before && ' '}${carets}`.trimEnd()];
}

function cellsOf(line: string, begin: number, end: number): Cell[] {
  return charactersOf(line).map(({ at, text }) => {
    const shown = text === '\t' ? TAB : printable(text);
    return { text: shown, width: widthOf(shown), isMarked: at < end && at + text.length > begin };
  });
}

function windowOf(cells: readonly Cell[], room: number) {
  if (columns(cells) <= room) return { before: '', visible: cells, after: '' };
  let first = Math.max(
    0,
    cells.findIndex(({ isMarked }) => isMarked),
  );
  for (let lead = room * LEAD; first > 0; first--) {
    lead -= cells[first - 1]?.width ?? 0;
    if (lead < 0) break;
  }
  let last = first;
  for (let left = room - 2 * ELLIPSIS.length; last < cells.length; last++) {
    left -= cells[last]?.width ?? 0;
    if (left < 0) break;
  }
  const before = first > 0 ? ELLIPSIS : '';
  return { before, visible: cells.slice(first, last), after: last < cells.length ? ELLIPSIS : '' };
}

/** The marked character takes no column, as a combining accent: the caret is where it would be. */
function caretWithoutWidth(cells: readonly Cell[]): string {
  const at = cells.findIndex(({ isMarked }) => isMarked);
  return `${' '.repeat(columns(cells.slice(0, at)))}^`;
}

function columns(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}
