import type { Span } from '../parse/syntax-tree.js';

const WIDTH = 80;
/** Characters before the first error when the text is too long to show completely. */
const LEAD = 30;
const MAX_ECHO = 80;
const REPLACEMENT = '\uFFFD';
/** Characters that would disturb a terminal, a log line or the reading order when shown to a person. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Returns one code point in a safe form: tabs and line breaks become a space, every other unsafe character U+FFFD. */
function safe(character: string): string {
  if (/[\t\n\r]/.test(character)) return ' ';
  return UNSAFE.test(character) ? REPLACEMENT : character;
}

/** Returns a sentence with everything unsafe replaced. */
export function safeText(text: string): string {
  return Array.from(text, safe).join('');
}

/** Returns a piece of the client's text for use in a message: at most 80 characters, nothing unsafe in it. */
export function echo(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_ECHO + 2)];
  const shown = characters.slice(0, MAX_ECHO).map(safe).join('');
  return characters.length > MAX_ECHO ? `${shown}…` : shown;
}

/**
 * Returns two lines: the criteria text (at most 80 characters of it, around the first span) and carets under every
 * span within it.
 */
export function snippet(text: string, spans: readonly Span[]): string {
  const from = startNear(text, text.length > WIDTH ? (spans[0]?.position ?? 0) - LEAD : 0);
  const characters = [...text.slice(from, from + 2 * WIDTH)].slice(0, WIDTH);
  const positions = [from];
  for (const { length } of characters) positions.push((positions.at(-1) ?? from) + length);
  const before = from > 0 ? '…' : '';
  const after = (positions.at(-1) ?? from) < text.length ? '…' : '';
  const marks = positions.map((at) => (spans.some((span) => covers(span, at)) ? '^' : ' '));
  return `${before}${characters.map(safe).join('')}${after}\n${before && ' '}${marks.join('')}`.trimEnd();
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
