import { WORD_OPERATORS } from '../operators.js';
import { CODE, isAsciiLetter, isSpace, isWordCharacter, LOWER_CASE_BIT } from '../text/characters.js';
import type { Cursor } from './cursor.js';

const MAX_LENGTH = Math.max(...['not', 'is', 'null', ...WORD_OPERATORS.keys()].map((word) => word.length));

/**
 * Returns the keyword at the cursor, or at a later position, in lower case: a short run of ASCII letters that no other
 * character continues. `order` and `not-x` are not keywords, `not(` is.
 */
export function keywordAhead(cursor: Cursor, ahead = 0): string {
  const end = ahead + MAX_LENGTH;
  let next = ahead;
  while (next <= end && isAsciiLetter(cursor.code(next))) next++;
  if (next > end || isWordCharacter(cursor.code(next))) return '';
  return cursor.text.slice(cursor.at + ahead, cursor.at + next).toLowerCase();
}

/** Returns the end of the white space that begins at a later position. */
export function afterSpaceAhead(cursor: Cursor, ahead: number): number {
  let next = ahead;
  while (isSpace(cursor.code(next))) next++;
  return next;
}

/** Returns whether the next word is this keyword, given in lower case; the text is not copied. */
export function isKeywordAhead(cursor: Cursor, keyword: string): boolean {
  for (let index = 0; index < keyword.length; index++) {
    if ((cursor.code(index) | LOWER_CASE_BIT) !== keyword.charCodeAt(index)) return false;
  }
  return !isWordCharacter(cursor.code(keyword.length));
}

/** A word or symbol that joins two terms. */
export interface Connector {
  readonly kind: 'and' | 'or';
  readonly length: number;
}

const AND_SIGN: Connector = { kind: 'and', length: 2 };
const OR_SIGN: Connector = { kind: 'or', length: 2 };
const AND_WORD: Connector = { kind: 'and', length: 3 };
const OR_WORD: Connector = { kind: 'or', length: 2 };

/** Returns the next connector: `and`, `&&`, `or`, `||`. */
export function connectorAhead(cursor: Cursor): Connector | undefined {
  switch (cursor.code() | LOWER_CASE_BIT) {
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
