import { isWordCharacter } from './characters.js';
import { SMALL } from './codes.js';
import type { Cursor } from './cursor.js';

/** Longest keyword: `between`. */
const LONGEST = 7;

/**
 * The run of letters ahead, in lower case, when it is short enough for a keyword and no further character continues
 * the word: `order` and `not-x` are no keywords, `not(` is.
 */
export function keywordAhead(cursor: Cursor): string {
  let length = 0;
  while (length <= LONGEST && isWordCharacter(cursor.code(length))) length++;
  return length > LONGEST ? '' : cursor.text.slice(cursor.at, cursor.at + length).toLowerCase();
}

/** Whether the word ahead is this keyword, given in small letters; nothing is cut out of the text for that. */
export function isKeywordAhead(cursor: Cursor, keyword: string): boolean {
  for (let index = 0; index < keyword.length; index++) {
    if ((cursor.code(index) | SMALL) !== keyword.charCodeAt(index)) return false;
  }
  return !isWordCharacter(cursor.code(keyword.length));
}
