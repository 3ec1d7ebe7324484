import { charactersOf, printable, widthOf } from '@carbon/terminal';

/** A place in a text, in UTF-16 units from 0. */
export interface Span {
  readonly position: number;
  readonly length: number;
}

/** A character as it is shown. */
interface Cell {
  readonly shown: string;
  readonly width: number;
  readonly marked: boolean;
}

const TAB = '    ';
const CUT = '…';
/** The share of the line that stands before a mistake when the line is too long to be shown whole. */
const LEAD = 0.4;

/**
 * The line of a text that holds a place, and carets in the columns below it. Of a line that is too long, the part around
 * the place. What is missing at an end has its caret there.
 */
export function underlined(text: string, { position, length }: Span, room: number): readonly [string, string] {
  const start = text.slice(0, position).lastIndexOf('\n') + 1;
  const [line = ''] = text.slice(start).split('\n', 1);
  const begin = Math.min(position - start, line.length);
  const cells = cellsOf(line, begin, Math.min(begin + Math.max(1, length), line.length));
  if (begin === line.length) cells.push({ shown: ' ', width: 1, marked: true });
  const { before, seen, after } = windowOf(cells, room);
  const shown = seen.map((cell) => cell.shown).join('');
  const marks = seen.map(({ marked, width }) => (marked ? '^' : ' ').repeat(width)).join('');
  const carets = marks.includes('^') ? marks : overNothing(seen);
  return [`${before}${shown}${after}`.trimEnd(), `${before && ' '}${carets}`.trimEnd()];
}

function cellsOf(line: string, begin: number, end: number): Cell[] {
  return charactersOf(line).map(({ at, text }) => {
    const shown = text === '\t' ? TAB : printable(text);
    return { shown, width: widthOf(shown), marked: at < end && at + text.length > begin };
  });
}

interface Window {
  readonly before: string;
  readonly seen: readonly Cell[];
  readonly after: string;
}

function windowOf(cells: readonly Cell[], room: number): Window {
  if (columns(cells) <= room) return { before: '', seen: cells, after: '' };
  let first = Math.max(
    0,
    cells.findIndex(({ marked }) => marked),
  );
  for (let lead = room * LEAD; first > 0; first--) {
    lead -= cells[first - 1]?.width ?? 0;
    if (lead < 0) break;
  }
  const before = first > 0 ? CUT : '';
  let last = first;
  for (let left = room - 2 * CUT.length; last < cells.length; last++) {
    left -= cells[last]?.width ?? 0;
    if (left < 0) break;
  }
  return { before, seen: cells.slice(first, last), after: last < cells.length ? CUT : '' };
}

/** What is marked takes no column, as an accent alone does: the caret stands where it would be. */
function overNothing(cells: readonly Cell[]): string {
  const at = cells.findIndex(({ marked }) => marked);
  return `${' '.repeat(columns(cells.slice(0, at)))}^`;
}

function columns(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}
