import { CODE } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { hasWildcard, literal, plainText } from './pattern-text.js';

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
const VALID_ESCAPES = 'valid escapes: \\\\ \\" \\\' \\* \\? \\n \\t \\r \\uXXXX';

/** A value in `"…"` or `'…'`; a doubled quote stands for itself, a backslash begins an escape. */
export function readQuoted(cursor: Cursor): ValueNode {
  const position = cursor.at;
  const text = readContent(cursor, asItself);
  return quotedValue(text, undefined, position, cursor.at - position);
}

/** The same after `like`, where a `*` or `?` that is not escaped is a wildcard. */
export function readQuotedPattern(cursor: Cursor): ValueNode {
  const position = cursor.at;
  const content = readContent(cursor, literal);
  const pattern = hasWildcard(content) ? content : undefined;
  return quotedValue(plainText(content), pattern, position, cursor.at - position);
}

function quotedValue(text: string, pattern: string | undefined, position: number, length: number): ValueNode {
  return { kind: 'scalar', text, quoted: true, pattern, position, length };
}

const asItself = (character: string) => character;

/** What stands between the quotes; `keep` says how a character that was escaped is kept. */
function readContent(cursor: Cursor, keep: (character: string) => string): string {
  const position = cursor.at;
  const quote = cursor.code();
  cursor.at++;
  let text = '';
  let from = cursor.at;
  for (; ; cursor.at++) {
    if (cursor.atEnd) throw unterminated(cursor, position);
    const code = cursor.code();
    if (code === CODE.backslash) {
      text += cursor.text.slice(from, cursor.at) + keep(readEscape(cursor));
      from = cursor.at + 1;
    } else if (code === quote) {
      text += cursor.text.slice(from, cursor.at);
      from = ++cursor.at;
      if (cursor.code() !== quote) return text;
    }
  }
}

/** Leaves the cursor on the last character of the escape. */
function readEscape(cursor: Cursor): string {
  const letter = cursor.text[cursor.at + 1] ?? '';
  const plain = SINGLE_ESCAPES[letter];
  if (plain !== undefined) {
    cursor.at++;
    return plain;
  }
  const unit = letter === 'u' ? hexUnit(cursor.text, cursor.at + 2) : undefined;
  if (unit === undefined) throw invalidEscape(cursor);
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

function invalidEscape(cursor: Cursor): Error {
  const next = cursor.text.codePointAt(cursor.at + 1);
  const sequence = `\\${next === undefined ? '' : String.fromCodePoint(next)}`;
  return mistake('INVALID_ESCAPE', cursor.spanAhead(sequence.length), `invalid escape "${sequence}"`, {
    hint: VALID_ESCAPES,
  });
}

function unterminated(cursor: Cursor, position: number): Error {
  const quote = cursor.text[position] ?? '';
  return mistake('UNTERMINATED_STRING', { position, length: 1 }, `the quote ${quote} is never closed`, {
    expected: [quote],
  });
}
