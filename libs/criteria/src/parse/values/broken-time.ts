import { isDigit, isSpace } from '../characters.js';
import { CODE } from '../codes.js';
import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { isDate, isDateTime } from './clock-colon.js';

/** Longest time of day, with its zone. */
const LONGEST_TIME = '00:00:00.000+00:00'.length;

/**
 * What to write instead of a date with a blank in it: a blank between day and time stands for `T`, and one between
 * time and zone was a `+` that a URL's reader turned into a blank.
 */
export function blankInDate(text: string): string | undefined {
  const blank = text.indexOf(' ');
  const [before, after] = [text.slice(0, blank), text.slice(blank + 1)];
  if (blank < 0 || !startsAsClock(after)) return undefined;
  if (isDate(before)) return `write ${before}T${after}`;
  if (!isDateTime(before)) return undefined;
  return `in a URL "+" means a blank; write ${before}%2B${after} there`;
}

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

function startsAsClock(text: string): boolean {
  return (
    isDigit(text.charCodeAt(0)) &&
    isDigit(text.charCodeAt(1)) &&
    text.charCodeAt(2) === CODE.colon &&
    isDigit(text.charCodeAt(3)) &&
    isDigit(text.charCodeAt(4))
  );
}
