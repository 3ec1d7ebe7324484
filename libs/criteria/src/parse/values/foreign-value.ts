import type { Cursor } from '../cursor.js';
import { unexpected } from '../unexpected.js';

/** What to write when a value is expected and one of these signs stands there. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['-', 'quote a value that starts with "-"'],
  ['!', 'write "not" before the field, or before a value in parentheses'],
  ['(', 'several values are written field:(a or b), field in (a, b) or field not in (a, b)'],
  ['[', 'an interval is written field:[a TO b]'],
  ['{', 'an interval is written field:{a TO b}'],
  ['<', 'a comparison repeats the field: field>=a and field<=b'],
  ['>', 'a comparison repeats the field: field>=a and field<=b'],
]);

/** The mistake of finding the next character where a value is due. */
export function refuseForeignValue(cursor: Cursor): Error {
  return unexpected(cursor, ['value'], HINTS.get(cursor.character()));
}
