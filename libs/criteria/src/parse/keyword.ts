import { isWordCharacter } from './characters.js';
import type { Cursor } from './cursor.js';

/** Longest keyword: `between`. */
const LONGEST = 7;

/**
 * The run of letters ahead, in lower case, when it is short enough for a keyword and no further character continues
 * the word: `order` and `not-x` are no keywords, `not(` is.
 */
export function keywordAhead(cursor: Cursor, skip = 0): string {
  const start = cursor.at + skip;
  let end = start;
  while (end - start <= LONGEST && isWordCharacter(cursor.text.charCodeAt(end))) end++;
  return end === start || end - start > LONGEST ? '' : cursor.text.slice(start, end).toLowerCase();
}
