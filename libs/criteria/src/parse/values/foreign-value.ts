import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { unexpected } from '../unexpected.js';

/** Where value groups and intervals will be read; until then they are refused at their first sign. */
const OPENERS: ReadonlyMap<string, { readonly detail: string; readonly hint: string }> = new Map([
  [
    '(',
    {
      detail: 'a group of values is not supported',
      hint: 'write field in (a, b), or repeat the field: field:a or field:b',
    },
  ],
  [
    '[',
    { detail: 'intervals in brackets are not supported', hint: 'write field:low..high, or field in (a, b) for a list' },
  ],
  ['{', { detail: 'intervals in braces are not supported', hint: 'write field > low and field < high' }],
]);

/** The mistake of finding the next character where a value is due. */
export function refuseForeignValue(cursor: Cursor): Error {
  const opener = OPENERS.get(cursor.character());
  if (opener !== undefined) {
    return mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(1), opener.detail, { hint: opener.hint });
  }
  const hint = cursor.startsWith('-') ? 'quote a value that starts with "-"' : undefined;
  return unexpected(cursor, ['value'], hint);
}

/**
 * Words that other languages give a meaning of their own.
 *
 * @throws {SyntaxMistake} for `null` and for a regular expression between slashes
 */
export function refuseForeignWord(word: ValueNode): void {
  if (word.length === 4 && word.text.toLowerCase() === 'null') {
    throw mistake('UNSUPPORTED_SYNTAX', word, 'comparing with null is not supported', {
      hint: 'write field exists or field not exists; quote it to search for the word: "null"',
    });
  }
  if (word.length > 1 && word.text.startsWith('/') && word.text.endsWith('/')) {
    throw mistake('UNSUPPORTED_SYNTAX', word, 'regular expressions are not supported');
  }
}
