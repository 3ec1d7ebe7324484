import { isDigit, isTypographicQuote, isWordCharacter } from '../characters.js';
import { CODE } from '../codes.js';
import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { refuseForeignValue, refuseForeignWord } from './foreign-value.js';
import { readQuoted } from './quoted.js';
import { readWord } from './word.js';

/** Words that are never a value without quotes. */
const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not']);

/**
 * One literal, quoted or not.
 *
 * @param after what stands before it, for the sentence when it is missing
 */
export function readValue(cursor: Cursor, after: string): ValueNode {
  const code = cursor.code();
  if (code === CODE.doubleQuote || code === CODE.singleQuote) return readQuoted(cursor);
  if (!startsWord(cursor)) throw noValue(cursor, after);
  const word = readWord(cursor);
  refuseReserved(word);
  refuseForeignWord(word);
  return word;
}

/** Whether a literal begins here; a minus begins one only before a number. */
export function startsValue(cursor: Cursor): boolean {
  const code = cursor.code();
  return code === CODE.doubleQuote || code === CODE.singleQuote || startsWord(cursor);
}

function startsWord(cursor: Cursor): boolean {
  const code = cursor.code();
  if (code === CODE.minus) return isDigit(cursor.code(1)) || (cursor.code(1) === CODE.dot && isDigit(cursor.code(2)));
  return isWordCharacter(code) && !isTypographicQuote(code);
}

/** A word shorter in value than in writing holds an escape, so it was meant as a value. */
function refuseReserved(word: ValueNode): void {
  if (word.length > 3 || word.length !== word.text.length || !RESERVED.has(word.text.toLowerCase())) return;
  throw mistake('RESERVED_WORD', word, `"${word.text}" is a keyword, so a value is missing here`, {
    hint: `quote it to search for the word: "${word.text}"`,
    expected: ['value'],
  });
}

function noValue(cursor: Cursor, after: string): Error {
  const code = cursor.code();
  if (cursor.atEnd || endsPlaceOfValue(code)) {
    return mistake('MISSING_VALUE', cursor.spanAhead(0), `a value is missing after "${after}"`, {
      expected: ['value'],
    });
  }
  return refuseForeignValue(cursor);
}

/** Signs that close or separate: before them a value was left out. */
function endsPlaceOfValue(code: number): boolean {
  return code === CODE.closingParenthesis || code === CODE.closingBracket || code === CODE.comma;
}
