import { afterSpaceAhead, keywordAhead } from '../parse/keywords.js';
import { type Explanation, explanation } from './criteria-error.js';
import { EMPTY_WORDS } from './language-words.js';
import { shownOnly, writeCondition } from './proposals.js';
import { echo } from './snippet.js';
import {
  bare,
  cursorAt,
  endsCondition,
  type FailedText,
  type Name,
  nameAt,
  opensCondition,
  phraseAt,
} from './source.js';
import { unexpected } from './unexpected.js';

/** A predicate of SQL in which absent values are values. */
const DISTINCT = /^distinct\s{1,9}from\b/i;
const REACH = 30;
const LIST_WORDS = /^(any|one|none)\s{1,9}of\b/i;

/** Explains `is` or `is not` without the `null`; undefined where no `is` follows the name. */
export function nullTest({ text, at: start }: FailedText, field: Name): Explanation | undefined {
  const cursor = cursorAt(text, start);
  if (keywordAhead(cursor) !== 'is') return undefined;
  const second = afterSpaceAhead(cursor, 'is'.length);
  const isNegated = keywordAhead(cursor, second) === 'not';
  const at = start + (isNegated ? afterSpaceAhead(cursor, second + 'not'.length) : second);
  const name = echo(field.text);
  const bothTests = `"is" is followed by null or not null`;
  if (at >= text.length) {
    const help = { expected: ['null'], hint: bothTests };
    return explanation('UNEXPECTED_END', { position: at, length: 0 }, '"null" is missing after "is"', help);
  }
  const word = nameAt(text, at).toLowerCase();
  if (LIST_WORDS.test(text.slice(at, at + REACH))) {
    const isOut = isNegated !== (word === 'none');
    return unexpected(text, at, ['null'], `several values are ${name} ${isOut ? 'not ' : ''}in (a, b)`);
  }
  if (EMPTY_WORDS.has(word)) {
    // `is none of (…)`, `is empty string`
    if (!endsCondition(text, at + word.length)) return unexpected(text, at, ['null'], bothTests);
    const span = { position: start, length: at + word.length - start };
    const hint = writeCondition(`${name} is ${isNegated ? 'not ' : ''}null`);
    return explanation('UNSUPPORTED_SYNTAX', span, `"is ${word}" is not supported`, { hint });
  }
  if (word === 'not') return unexpected(text, at, ['null'], bothTests);
  if (/^(exists|set|present|defined)$/.test(word) && !opensCondition(text, at)) {
    return unexpected(text, at, ['null'], writeCondition(`${name} is ${isNegated ? '' : 'not '}null`));
  }
  const distinct = DISTINCT.exec(text.slice(at, at + REACH))?.[0].length;
  const phrase = phraseAt(text, at + (distinct ?? 0));
  const value = bare(phrase ?? 'value');
  const isDifferent = isNegated !== (distinct !== undefined);
  const condition = /^"null"$|^(?:nul|nulll|nll|mull)$/i.test(value)
    ? `is ${isDifferent ? 'not ' : ''}null`
    : `${isDifferent ? '!=' : '='} ${value}`;
  const hint = writeCondition(`${name} ${condition}`);
  return unexpected(text, at, ['null'], { ...(phrase === undefined ? shownOnly(hint) : hint), otherwise: bothTests });
}
