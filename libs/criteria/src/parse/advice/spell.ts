import { echo } from '../../errors/echo.js';
import { literal } from '../values/pattern-text.js';

/** What needs no quotes, whatever the field. */
const PLAIN = /^-?[\p{L}\p{N}_]([\p{L}\p{N}_.:+-]*[\p{L}\p{N}_])?$/u;
const RESERVED = /^(and|or|not|null)$/i;

/** A text between quotes, for a hint. */
export function quoted(text: string): string {
  return `"${echo(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** A pattern between quotes, for a hint: its wildcards and its escapes stay as they are. */
export function quotedPattern(pattern: string): string {
  return `"${echo(pattern).replaceAll('"', '\\"')}"`;
}

/** A text within a pattern: its own `*` and `?` are characters. */
export function asLiteral(text: string): string {
  return Array.from(text, literal).join('');
}

/** A text as a value: without quotes where it needs none. */
export function bare(text: string): string {
  const isPlain = PLAIN.test(text) && !text.includes('..') && !RESERVED.test(text);
  return isPlain && !text.slice(1).includes(':') ? echo(text) : quoted(text);
}
