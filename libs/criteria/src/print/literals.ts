import type { Scalar } from '../check/nodes.js';

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
  let printed = '"';
  for (const unit of text.split('')) printed += NAMED_ESCAPES.get(unit) ?? (unit < ' ' ? unicodeEscape(unit) : unit);
  return `${printed}"`;
}

/** A value of any type but date. */
export function printScalar(value: Scalar): string {
  return typeof value === 'string' ? printString(value) : String(value);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
