import { CODE } from '../text/characters.js';
import { hasWildcard, literal, plainText } from '../text/patterns.js';
import type { Cursor } from './cursor.js';
import type { ValueNode } from './nodes.js';

const SINGLE_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  '"': '"',
  "'": "'",
  '*': '*',
  '?': '?',
  n: '\n',
  t: '\t',
  r: '\r',
};

/** Reads a value in `"…"` or `'…'`; a doubled quote stands for itself, a backslash begins an escape. */
export function readQuoted(cursor: Cursor): ValueNode {
  const position = cursor.at;
  const text = readContent(cursor, asItself);
  return { kind: 'scalar', text, quoted: true, pattern: undefined, position, length: cursor.at - position };
}

/** Reads the same after `like`, where a `*` or `?` that is not escaped is a wildcard. */
export function readQuotedPattern(cursor: Cursor): ValueNode {
  const position = cursor.at;
  const content = readContent(cursor, literal);
  const pattern = hasWildcard(content) ? content : undefined;
  return { kind: 'scalar', text: plainText(content), quoted: true, pattern, position, length: cursor.at - position };
}

const asItself = (character: string) => character;

/** Reads the text between the quotes; `keep` says how a character that was escaped is kept. */
function readContent(cursor: Cursor, keep: (character: string) => string): string {
  const position = cursor.at;
  const quote = cursor.code();
  cursor.at++;
  let text = '';
  let from = cursor.at;
  for (; ; cursor.at++) {
    if (cursor.atEnd) throw cursor.failure('quote', position);
    const code = cursor.code();
    if (code === CODE.backslash) {
      text += cursor.text.slice(from, cursor.at) + keep(readEscape(cursor, position));
      from = cursor.at + 1;
    } else if (code === quote) {
      text += cursor.text.slice(from, cursor.at);
      from = ++cursor.at;
      if (cursor.code() !== quote) return text;
    }
  }
}

/** Leaves the cursor on the last character of the escape. */
function readEscape(cursor: Cursor, position: number): string {
  const letter = cursor.text[cursor.at + 1] ?? '';
  const plain = SINGLE_ESCAPES[letter];
  if (plain !== undefined) {
    cursor.at++;
    return plain;
  }
  const unit = letter === 'u' ? hexUnit(cursor.text, cursor.at + 2) : undefined;
  if (unit === undefined) throw cursor.failure('escape', position);
  cursor.at += 5;
  return unit;
}

function hexUnit(text: string, at: number): string | undefined {
  let unit = 0;
  for (let digit = 0; digit < 4; digit++) {
    const value = Number.parseInt(text[at + digit] ?? '', 16);
    if (Number.isNaN(value)) return undefined;
    unit = unit * 16 + value;
  }
  return String.fromCharCode(unit);
}
