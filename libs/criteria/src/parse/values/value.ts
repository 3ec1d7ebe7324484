import { CODE, isDigit, isTypographicQuote, isWordCharacter, SMALL } from '../../text/characters.js';
import { negatedValueHint } from '../advice/field-before.js';
import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { refuseBrokenTime } from './broken-time.js';
import { refuseForeignValue } from './foreign-value.js';
import { readQuoted } from './quoted.js';
import { refuseRegularExpression } from './regular-expression.js';
import { readWord } from './word.js';

/** Words that are never a value without quotes; `null` is one where the lack of a value may be asked for. */
const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not']);

/**
 * One literal, quoted or not. The word `null` is let pass.
 *
 * @param after what stands before it, for the sentence when it is missing
 */
export function readValueOrNull(cursor: Cursor, after: string): ValueNode {
  const code = cursor.code();
  if (code === CODE.doubleQuote || code === CODE.singleQuote) return readQuoted(cursor);
  if (!startsWord(cursor)) throw noValue(cursor, after);
  const word = readWord(cursor);
  if (word.length <= 3 && beginsReserved(code)) refuseReserved(cursor, word);
  if (code === CODE.slash) refuseRegularExpression(cursor, word);
  if (cursor.code() === CODE.space && isDigit(cursor.code(1))) refuseBrokenTime(cursor, word);
  return word;
}

/** One literal where there must be one, as the bound of a range. */
export function readValue(cursor: Cursor, after: string): ValueNode {
  const value = readValueOrNull(cursor, after);
  refuseNull(value);
  return value;
}

/**
 * Lets any other value pass.
 *
 * @throws {SyntaxMistake} for `null`, which has no place in an order and no form
 */
export function refuseNull(value: ValueNode): void {
  if (isNull(value)) throw reserved(value, 'write field is null or field is not null');
}

/** The keyword `null`: neither quoted nor with an escape in it. */
export function isNull(value: ValueNode): boolean {
  return value.length === 4 && !value.quoted && value.text.length === 4 && value.text.toLowerCase() === 'null';
}

/** Whether a literal begins here; a minus begins one only before a number. */
export function startsValue(cursor: Cursor): boolean {
  const code = cursor.code();
  return code === CODE.doubleQuote || code === CODE.singleQuote || startsWord(cursor);
}

function startsWord(cursor: Cursor): boolean {
  const code = cursor.code();
  if (code === CODE.minus) return isDigit(cursor.code(1)) || (cursor.code(1) === CODE.dot && isDigit(cursor.code(2)));
  if (code === CODE.dot) return cursor.code(1) !== CODE.dot;
  return isWordCharacter(code) && !isTypographicQuote(code);
}

/** Whether a word of {@link RESERVED} may begin so; all others are spared the look-up. */
function beginsReserved(code: number): boolean {
  const small = code | SMALL;
  return small === CODE.a || small === CODE.n || small === CODE.o;
}

/** A word shorter in value than in writing holds an escape, so it was meant as a value. */
function refuseReserved(cursor: Cursor, word: ValueNode): void {
  if (word.length !== word.text.length || !RESERVED.has(word.text.toLowerCase())) return;
  const isNegation = word.text.toLowerCase() === 'not';
  throw reserved(word, isNegation ? negatedValueHint(cursor.text, word.position, word.length) : undefined);
}

function reserved(word: ValueNode, rewrite?: string): Error {
  const quoting = `quote it to search for the word: "${word.text}"`;
  return mistake('RESERVED_WORD', word, `"${word.text}" is a keyword, so a value is missing here`, {
    hint: rewrite === undefined ? quoting : `${rewrite}; ${quoting}`,
    expected: ['value'],
  });
}

function noValue(cursor: Cursor, after: string): Error {
  if (cursor.atEnd || endsPlaceOfValue(cursor.code())) {
    return mistake('MISSING_VALUE', cursor.spanAhead(0), `a value is missing after "${after}"`, {
      expected: ['value'],
    });
  }
  return refuseForeignValue(cursor);
}

/** Signs that close or separate: before them a value was left out. */
function endsPlaceOfValue(code: number): boolean {
  return (
    code === CODE.closingParenthesis ||
    code === CODE.closingBracket ||
    code === CODE.closingBrace ||
    code === CODE.comma
  );
}
