import { isDigit } from '../../text/characters.js';
import { afterSpace } from '../advice/ahead.js';
import { negatedValueHint } from '../advice/field-before.js';
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
  const sign = cursor.character();
  return unexpected(cursor, ['value'], hintFor(cursor, sign) ?? HINTS.get(sign));
}

function hintFor({ text, at }: Cursor, sign: string): string | undefined {
  if (sign === '-' && isDigit(text.charCodeAt(afterSpace(text, at + 1)))) return 'write the minus close to its number';
  if (sign !== '-' && sign !== '!') return undefined;
  const hint = negatedValueHint(text, at, sign.length);
  return hint && sign === '-' ? `${hint}, or ${HINTS.get(sign)}` : hint;
}
