import {
  CODE,
  isAsciiLetter,
  isDigit,
  isForeignComma,
  isSpace,
  isTypographicQuote,
  isWordCharacter,
} from '../text/characters.js';
import { isClockColon } from '../text/dates.js';
import { hasWildcard, literal, plainText } from '../text/pattern-escapes.js';
import type { Cursor } from './cursor.js';
import type { ValueNode } from './syntax-tree.js';

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

/** Reads a value in `"…"` or `'…'`; a doubled quote stands for one quote, a backslash begins an escape. */
export function readQuoted(cursor: Cursor): ValueNode {
  const position = cursor.at;
  const text = readContent(cursor, asItself);
  return { kind: 'scalar', text, quoted: true, pattern: undefined, position, length: cursor.at - position };
}

/** Reads a quoted value after `like`, where a `*` or `?` that is not escaped is a wildcard. */
export function readQuotedPattern(cursor: Cursor): ValueNode {
  const position = cursor.at;
  const content = readContent(cursor, literal);
  const pattern = hasWildcard(content) ? content : undefined;
  return { kind: 'scalar', text: plainText(content), quoted: true, pattern, position, length: cursor.at - position };
}

const asItself = (character: string) => character;

/** Reads the text between the quotes; `keep` decides how an escaped character is stored. */
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

/** Reads a value without quotes. It ends before `..`, before white space and before the symbols of the grammar. */
export function readWord(cursor: Cursor): ValueNode {
  const position = cursor.at;
  let wildcard = false;
  let text = '';
  let from = position;
  for (cursor.skipPlain(); continuesWord(cursor, position); cursor.skipPlain()) {
    const code = cursor.code();
    if (code === CODE.star || code === CODE.question) wildcard = true;
    if (code === CODE.backslash) {
      text += cursor.text.slice(from, cursor.at);
      if (!canBeEscaped(cursor.text.charCodeAt(cursor.at + 1))) throw cursor.failure('escape', position);
      from = ++cursor.at;
    }
    cursor.at++;
  }
  text += cursor.text.slice(from, cursor.at);
  const length = cursor.at - position;
  const pattern = wildcard ? patternOf(text, cursor.text.slice(position, cursor.at)) : undefined;
  return { kind: 'scalar', text, quoted: false, pattern, position, length };
}

/** Returns the pattern of a word with a wildcard: its source without unnecessary escapes. */
function patternOf(text: string, source: string): string {
  if (text.length === source.length) return text;
  let pattern = '';
  for (let at = 0; at < source.length; at++) {
    pattern += source.charCodeAt(at) === CODE.backslash ? literal(source.charAt(++at)) : source.charAt(at);
  }
  return pattern;
}

function continuesWord(cursor: Cursor, start: number): boolean {
  const code = cursor.code();
  if (code === CODE.dot) return cursor.code(1) !== CODE.dot;
  if (code === CODE.colon) return isClockColon(cursor.text, start, cursor.at);
  return isWordCharacter(code);
}

/** Outside quotes a backslash makes a punctuation mark or white space literal. */
function canBeEscaped(code: number): boolean {
  const isPunctuation = code > 0x20 && code < 0x7f && !isDigit(code) && !isAsciiLetter(code);
  return isPunctuation || isSpace(code) || isTypographicQuote(code) || isForeignComma(code);
}

/** Symbols of regular expressions that end a word too early. */
const CUTTING = '([{^';
/** An expression followed by flags. */
const FLAGGED = /^(\/.+\/)[gimsuy]{1,3}$/;

/**
 * Returns the end of the regular expression `/…/` that begins with a word, or undefined if the word merely begins with
 * a slash. The text after the word matters only if a bracket cut it short.
 */
export function regularExpressionEnd({ text, at, atEnd }: Cursor, start: number): number | undefined {
  if (at - start > 1 && text.charCodeAt(at - 1) === CODE.slash) return at;
  const flagged = FLAGGED.exec(text.slice(start, at))?.[1];
  if (flagged !== undefined) return start + flagged.length;
  if (atEnd || !CUTTING.includes(text.charAt(at))) return undefined;
  let last = start;
  for (let next = at; next < text.length && !isSpace(text.charCodeAt(next)); next++) {
    if (text.charCodeAt(next) === CODE.slash) last = next;
  }
  // No bracket except `(` is valid after a word, so an expression with another one may contain white space.
  const closingSlash = /\/(?=[\s)]|$)/g;
  closingSlash.lastIndex = at;
  if (last === start && text.charCodeAt(at) !== CODE.openingParenthesis) last = closingSlash.exec(text)?.index ?? last;
  const after = text.charAt(last + 1).trim();
  return last > start && (after === '' || after === ')') ? last + 1 : undefined;
}
