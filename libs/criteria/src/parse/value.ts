import { CODE, isDigit, isTypographicQuote, isWordCharacter, LOWER_CASE_BIT } from '../text/characters.js';
import { isClockAt, isDate, isDateTime } from '../text/dates.js';
import type { Cursor } from './cursor.js';
import { readQuoted, readQuotedPattern, readWord, regularExpressionEnd } from './strings.js';
import type { ValueNode } from './syntax-tree.js';

/** Words that are never a value without quotes; `null` is one after an equality. */
const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not']);

/** Reads one literal, quoted or not, or the word `null`. */
export function readValueOrNull(cursor: Cursor): ValueNode {
  const code = cursor.code();
  if (isQuote(code)) return readQuoted(cursor);
  if (!startsWord(cursor)) throw cursor.failure('value');
  const word = readWord(cursor);
  if (word.length <= 3 && beginsReserved(code)) refuseReserved(cursor, word);
  if (code === CODE.slash) refuseRegularExpression(cursor, word);
  if (cursor.code() === CODE.space && isDigit(cursor.code(1))) refuseDateWithBlank(cursor, word);
  return word;
}

/** Reads one literal where `null` is not a value. */
export function readValue(cursor: Cursor): ValueNode {
  const value = readValueOrNull(cursor);
  refuseNull(cursor, value);
  return value;
}

/** Reads the pattern of `like`; in quotes, too, `*` and `?` are wildcards. SQL's `%` alone is not. */
export function readPattern(cursor: Cursor): ValueNode {
  const value = isQuote(cursor.code()) ? readQuotedPattern(cursor) : readValue(cursor);
  const isEscaped = !value.quoted && cursor.text.slice(value.position, cursor.at).includes('\\%');
  if (value.pattern === undefined && value.text.includes('%') && !isEscaped) {
    throw cursor.failure('pattern', value.position);
  }
  return value;
}

/** @throws SyntaxFailure for `null`, which has no order and no pattern */
export function refuseNull(cursor: Cursor, value: ValueNode): void {
  if (isNull(value)) throw cursor.failure('keyword', value.position, value.position + value.length);
}

/** Returns whether a value is the keyword `null`: without quotes and escapes. */
export function isNull(value: ValueNode): boolean {
  return value.length === 4 && !value.quoted && value.text.length === 4 && value.text.toLowerCase() === 'null';
}

/** Returns whether a literal begins here; a minus begins one only before a number. */
export function startsValue(cursor: Cursor): boolean {
  return isQuote(cursor.code()) || startsWord(cursor);
}

function isQuote(code: number): boolean {
  return code === CODE.doubleQuote || code === CODE.singleQuote;
}

function startsWord(cursor: Cursor): boolean {
  const code = cursor.code();
  if (code === CODE.minus) return isDigit(cursor.code(1)) || (cursor.code(1) === CODE.dot && isDigit(cursor.code(2)));
  if (code === CODE.dot) return cursor.code(1) !== CODE.dot;
  return isWordCharacter(code) && !isTypographicQuote(code);
}

/** Returns whether a word of {@link RESERVED} may begin with this character; all others skip the look-up. */
function beginsReserved(code: number): boolean {
  const small = code | LOWER_CASE_BIT;
  return small === CODE.a || small === CODE.n || small === CODE.o;
}

/** A value shorter than its source contains an escape, so it is a value. */
function refuseReserved(cursor: Cursor, word: ValueNode): void {
  if (word.length !== word.text.length || !RESERVED.has(word.text.toLowerCase())) return;
  throw cursor.failure('keyword', word.position);
}

function refuseRegularExpression(cursor: Cursor, word: ValueNode): void {
  const end = regularExpressionEnd(cursor, word.position);
  if (end !== undefined) throw cursor.failure('regularExpression', word.position, end);
}

/** Rejects a date with a blank before its time or zone, because the part after the blank would be read as a field. */
function refuseDateWithBlank(cursor: Cursor, { position }: ValueNode): void {
  const date = cursor.text.slice(position, cursor.at);
  if (!isDate(date) && !isDateTime(date)) return;
  if (isClockAt(cursor.text, cursor.at + 1)) throw cursor.failure('date', position);
}
