import { hasWord, wordPattern } from '../check/patterns.js';
import type { CriteriaField } from '../fields.js';
import type { ValueNode } from '../parse/syntax-tree.js';
import type { Hint } from './criteria-error.js';
import { worded, writeCondition, writePiece } from './proposals.js';
import { echo } from './snippet.js';
import { spaceHint } from './value-errors.js';

const DATE_FORMS = 'a date is 2022, 2022-02, 2022-02-28 or 2022-02-28T10:30:00Z';
const RELATIVE_DATE = /^[+-]?(now|today|yesterday|tomorrow|current_|getdate|sysdate|\d+[smhdwy]$)/i;

/** Returns the hint for a text that is not a date and cannot be repaired. */
export function dateHint(text: string): Hint {
  if (RELATIVE_DATE.test(text)) return 'there are no relative dates: use the day itself, such as 2022-02-28';
  return spaceHint(text) ?? DATE_FORMS;
}

/** Returns the hint for a text that is not a boolean. */
export function booleanHint(text: string): Hint {
  if (/^(yes|y|on|1)$/i.test(text)) return writePiece('true');
  return /^(no|n|off|0)$/i.test(text) ? writePiece('false') : 'a boolean is true or false';
}

/** Returns the hint for an address, or the beginning of one, without its prefix. */
export function addressHint({ text, pattern }: ValueNode): Hint {
  const digits = pattern?.slice(0, -1) ?? text;
  return /^[0-9a-f]{1,64}$/i.test(digits)
    ? writePiece(`0x${pattern ?? text}`)
    : 'an address is 0x and 1 to 64 hexadecimal digits';
}

/** Returns the hint for a pattern that no word can match: a pattern of each word, or of the whole value. */
export function wordPatternHint({ name, exact }: CriteriaField, pattern: string): Hint {
  const words = wordsOfPattern(pattern);
  const isOfWords = words.length > 0 && !words.some((word) => /^[*?]/.test(word));
  const isNarrow = pattern.replaceAll(/[*?]/g, '').length >= (/^[*?]/.test(pattern) ? 3 : 1);
  const wholePattern = exact && isNarrow ? `${name} like "${echo(pattern).replaceAll('"', '\\"')}"` : undefined;
  if (isOfWords) {
    const ofWords = `${name}:${words.length === 1 ? echo(words[0] ?? '') : `(${echo(words.join(' and '))})`}`;
    return writeCondition(ofWords, wholePattern && `, or for the whole value ${wholePattern}`);
  }
  if (wholePattern === undefined) return 'search for a word of the text';
  return worded(writeCondition(wholePattern), 'for the whole value ');
}

/** Returns the parts of a pattern between separators of words, if they contain a letter or a digit. */
function wordsOfPattern(pattern: string): readonly string[] {
  const spaced = Array.from(pattern.normalize('NFC'), (character) =>
    wordPattern(character) === undefined ? ' ' : character,
  );
  return spaced.join('').split(' ').filter(hasWord);
}
