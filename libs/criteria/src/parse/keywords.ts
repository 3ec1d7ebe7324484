import { WORD_OPERATORS } from '../operators.js';
import { CODE, isAsciiLetter, isSpace, isWordCharacter, SMALL } from '../text/characters.js';
import type { Cursor } from './cursor.js';

const MAX_LENGTH = Math.max(...['not', 'is', 'null', ...WORD_OPERATORS.keys()].map((word) => word.length));

/**
 * Returns the keyword that may stand ahead, or so much further on, in lower case: a run of ASCII letters that is short
 * enough and that no other character continues. `order` and `not-x` are no keywords, `not(` is.
 */
export function keywordAhead(cursor: Cursor, ahead = 0): string {
  const end = ahead + MAX_LENGTH;
  let next = ahead;
  while (next <= end && isAsciiLetter(cursor.code(next))) next++;
  if (next > end || isWordCharacter(cursor.code(next))) return '';
  return cursor.text.slice(cursor.at + ahead, cursor.at + next).toLowerCase();
}

/** Returns where white space that begins further on ends. */
export function afterSpaceAhead(cursor: Cursor, ahead: number): number {
  let next = ahead;
  while (isSpace(cursor.code(next))) next++;
  return next;
}

/** Whether the word ahead is this keyword, given in small letters; the text is not cut up. */
export function isKeywordAhead(cursor: Cursor, keyword: string): boolean {
  for (let index = 0; index < keyword.length; index++) {
    if ((cursor.code(index) | SMALL) !== keyword.charCodeAt(index)) return false;
  }
  return !isWordCharacter(cursor.code(keyword.length));
}

/** A word or sign that joins two terms. */
export interface Connector {
  readonly kind: 'and' | 'or';
  readonly length: number;
}

const AND_SIGN: Connector = { kind: 'and', length: 2 };
const OR_SIGN: Connector = { kind: 'or', length: 2 };
const AND_WORD: Connector = { kind: 'and', length: 3 };
const OR_WORD: Connector = { kind: 'or', length: 2 };

/** Returns the connector ahead: `and`, `&&`, `or`, `||`. */
export function connectorAhead(cursor: Cursor): Connector | undefined {
  switch (cursor.code() | SMALL) {
    case CODE.a:
      return isKeywordAhead(cursor, 'and') ? AND_WORD : undefined;
    case CODE.o:
      return isKeywordAhead(cursor, 'or') ? OR_WORD : undefined;
    case CODE.ampersand:
      return cursor.startsWith('&&') ? AND_SIGN : undefined;
    case CODE.pipe:
      return cursor.startsWith('||') ? OR_SIGN : undefined;
    default:
      return undefined;
  }
}
