import { periodOf } from '../check/date.js';
import { numberOf } from '../check/number.js';
import { hasWord, wordPattern } from '../check/patterns.js';
import type { CriteriaField } from '../fields.js';
import type { ValueNode } from '../parse/syntax-tree.js';
import { echo } from './snippet.js';
import { blankHint } from './value-errors.js';

const DATE_FORMS = 'write 2022, 2022-02, 2022-02-28 or 2022-02-28T10:30:00Z';
const RELATIVE_DATE = /^[+-]?(now|today|yesterday|tomorrow|\d+[smhdwy]$)/i;

/** Date formats of programs and people, with a function that converts them, and the reason for the hint. */
const DATE_FIXES: readonly (readonly [RegExp, (...groups: string[]) => string, string])[] = [
  [
    /^(.{19}\.)(\d{1,2}|\d{4,9})(\D.*|)$/,
    (head, digits, zone) => head + digits.padEnd(3, '0').slice(0, 3) + zone,
    'three digits of a second',
  ],
  [
    /^(.{16,23})([+-]\d\d)(\d\d)?$/,
    (time, hours, minutes = '00') => `${time}${hours}:${minutes}`,
    'a zone has a colon',
  ],
  [/^(\d{4}-\d\d-\d\d)Z$/i, (day) => day, 'a day is in UTC, and has no zone'],
  [/^(\d{4})[/.](\d\d)[/.](\d\d)$/, (year, month, day) => `${year}-${month}-${day}`, 'a date has hyphens'],
  [/^(\d{4})(\d\d)(\d\d)$/, (year, month, day) => `${year}-${month}-${day}`, 'a date has hyphens'],
  [/^(\d{4}-\d\d-\d\dT\d\d)(Z?)$/i, (hour, zone) => `${hour}:00${zone}`, 'a time has minutes'],
];

/** Returns the hint for a text that is not a date. */
export function dateHint(text: string): string {
  if (RELATIVE_DATE.test(text)) return 'there are no relative dates: write the day itself, such as 2022-02-28';
  return blankHint(text) ?? fixedDate(text) ?? DATE_FORMS;
}

function fixedDate(text: string): string | undefined {
  for (const [form, fix, reason] of DATE_FIXES) {
    const [whole, ...groups] = form.exec(text) ?? [];
    if (whole === undefined) continue;
    const literal = fix(...groups);
    if (typeof periodOf(literal) !== 'string') return `write ${echo(literal)} (${reason})`;
  }
  return undefined;
}

/** Returns the hint for a text that is not a number; undefined if no number was intended. */
export function numberHint(text: string): string | undefined {
  const plain = text.replace(/^[–−﹣－]/u, '-').replace(/^\+/, '');
  const grouped = plain.replaceAll(/[_’'](?=\d{3})/g, '');
  return grouped !== text && numberOf(grouped) !== undefined ? `write ${grouped}` : undefined;
}

/** Returns the hint for a text that is not a boolean. `1` could also be a number. */
export function booleanHint(text: string): string {
  if (/^(yes|y|on|1)$/i.test(text)) return 'write true';
  return /^(no|n|off|0)$/i.test(text) ? 'write false' : 'write true or false';
}

/** Returns the hint for an address, or the beginning of one, without its prefix. */
export function addressHint({ text, pattern }: ValueNode): string {
  const digits = pattern?.slice(0, -1) ?? text;
  return /^[0-9a-f]{1,64}$/i.test(digits)
    ? `write 0x${pattern ?? text}`
    : 'an address is 0x and 1 to 64 hexadecimal digits';
}

/** Returns the hint for a pattern that no word can match: a pattern of each word, or of the whole value. */
export function wordPatternHint({ name, exact }: CriteriaField, pattern: string): string {
  const words = wordsOfPattern(pattern);
  const hints: string[] = [];
  if (words.length > 0 && !words.some((word) => /^[*?]/.test(word))) {
    hints.push(`${name}:${words.length === 1 ? echo(words[0] ?? '') : `(${echo(words.join(' and '))})`}`);
  }
  const isNarrow = pattern.replaceAll(/[*?]/g, '').length >= (/^[*?]/.test(pattern) ? 3 : 1);
  if (exact && isNarrow) hints.push(`for the whole value ${name} like "${echo(pattern).replaceAll('"', '\\"')}"`);
  return hints.length === 0 ? 'search for a word of the text' : `write ${hints.join(', or ')}`;
}

/** Returns the parts of a pattern between separators of words, if they contain a letter or a digit. */
function wordsOfPattern(pattern: string): readonly string[] {
  const spaced = Array.from(pattern.normalize('NFC'), (character) =>
    wordPattern(character) === undefined ? ' ' : character,
  );
  return spaced.join('').split(' ').filter(hasWord);
}
