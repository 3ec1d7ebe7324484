import type { Span } from './criteria-error.js';
import { shown } from './echo.js';

const WIDTH = 80;
/** Characters kept before the first mistake when the text is too long to show whole. */
const LEAD = 30;

interface Cell {
  readonly at: number;
  readonly character: string;
}

/** The text cut into code points, each with its position; only the part that can be shown. */
function cellsAround(text: string, first: number): readonly Cell[] {
  const cells: Cell[] = [];
  let at = startNear(text, text.length > WIDTH ? first - LEAD : 0);
  while (at < text.length && cells.length < WIDTH) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    cells.push({ at, character: shown(character) });
    at += character.length;
  }
  return cells;
}

/** Never between the halves of a surrogate pair. */
function startNear(text: string, position: number): number {
  const at = Math.max(0, position);
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function covers(span: Span, at: number): boolean {
  return at >= span.position && at < span.position + Math.max(1, span.length);
}

/**
 * Two lines: the criteria text (at most 80 characters of it, around the first span) and carets under every span
 * that lies within.
 */
export function snippet(text: string, spans: readonly Span[]): string {
  const cells = cellsAround(text, spans[0]?.position ?? 0);
  const from = cells[0]?.at ?? 0;
  const last = cells.at(-1);
  const end = last === undefined ? 0 : last.at + last.character.length;
  const before = from > 0 ? '…' : '';
  const after = end < text.length ? '…' : '';
  const line = cells.map((cell) => cell.character).join('');
  const marks = [...cells.map((cell) => cell.at), end].map((at) =>
    spans.some((span) => covers(span, at)) ? '^' : ' ',
  );
  return `${before}${line}${after}\n${before && ' '}${marks.join('')}`.trimEnd();
}
