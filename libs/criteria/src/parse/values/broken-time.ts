import { isSpace } from '../../text/characters.js';
import { blankInDate } from '../../text/dates.js';
import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';

/** Longest time of day, with its zone. */
const LONGEST_TIME = '00:00:00.000+00:00'.length;

/**
 * Lets a word pass that is no date, or before something that is no time.
 *
 * @throws {SyntaxMistake} for a date with a blank in it: its second half would be taken for a field
 */
export function refuseBrokenTime(cursor: Cursor, word: ValueNode): void {
  let end = cursor.at + 1;
  while (end - cursor.at <= LONGEST_TIME && end < cursor.text.length && !isSpace(cursor.text.charCodeAt(end))) end++;
  const hint = blankInDate(cursor.text.slice(word.position, trimmed(cursor.text, end)));
  if (hint === undefined) return;
  const span = { position: word.position, length: trimmed(cursor.text, end) - word.position };
  throw mistake('INVALID_VALUE', span, 'a date is written without blanks', { expectedType: 'date', hint });
}

/** Without what closes a list or a group. */
function trimmed(text: string, end: number): number {
  let at = end;
  while (')]},'.includes(text.charAt(at - 1))) at--;
  return at;
}
