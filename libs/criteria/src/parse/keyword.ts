import { isAsciiLetter, isSpace, isWordCharacter, SMALL } from '../text/characters.js';
import type { Cursor } from './cursor.js';

/** Longest keyword: `between`. */
const LONGEST = 7;

/**
 * The run of letters ahead, or so much further on, in lower case, when it is short enough for a keyword and no other
 * character continues the word: `order` and `not-x` are no keywords, `not(` is. Letters are those of ASCII, so that
 * none comes about by lower case.
 */
export function keywordAhead(cursor: Cursor, ahead = 0): string {
  const end = ahead + LONGEST;
  let next = ahead;
  while (next <= end && isAsciiLetter(cursor.code(next))) next++;
  if (next > end || isWordCharacter(cursor.code(next))) return '';
  return cursor.text.slice(cursor.at + ahead, cursor.at + next).toLowerCase();
}

/** How far behind a place further on the white space ends. */
export function afterSpaceAhead(cursor: Cursor, ahead: number): number {
  let next = ahead;
  while (isSpace(cursor.code(next))) next++;
  return next;
}

/** Whether the word ahead is this keyword, given in small letters; nothing is cut out of the text for that. */
export function isKeywordAhead(cursor: Cursor, keyword: string): boolean {
  for (let index = 0; index < keyword.length; index++) {
    if ((cursor.code(index) | SMALL) !== keyword.charCodeAt(index)) return false;
  }
  return !isWordCharacter(cursor.code(keyword.length));
}
