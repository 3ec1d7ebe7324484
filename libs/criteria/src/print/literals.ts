import type { Scalar } from '../check/nodes.js';
import { CODE } from '../text/codes.js';

const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['*', '\\*'],
  ['?', '\\?'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
]);

/** Text between quotes, so that it reads back as itself; `*` and `?` are marked as plain characters. */
export function printString(text: string): string {
  if (!needsEscape(text)) return `"${text}"`;
  let printed = '"';
  for (const unit of text.split('')) printed += escaped(unit);
  return `${printed}"`;
}

/** Whether any character is not printed as it is. Of few texts one is, and to look costs less than to take them apart. */
function needsEscape(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < CODE.space || code === CODE.doubleQuote || code === CODE.backslash) return true;
    if (code === CODE.star || code === CODE.question) return true;
  }
  return false;
}

/** A pattern between quotes, as `like` reads it: its own escapes and wildcards stay as they are. */
export function printPattern(pattern: string): string {
  let printed = '"';
  for (const unit of pattern.split('')) {
    const isSyntax = unit === '\\' || unit === '*' || unit === '?';
    printed += isSyntax ? unit : escaped(unit);
  }
  return `${printed}"`;
}

/** A value of any type but date. */
export function printScalar(value: Scalar): string {
  return typeof value === 'string' ? printString(value) : String(value);
}

function escaped(unit: string): string {
  const named = NAMED_ESCAPES.get(unit);
  if (named !== undefined || unit >= ' ') return named ?? unit;
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
