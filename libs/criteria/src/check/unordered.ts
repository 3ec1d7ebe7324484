import type { ValueNode } from '../parse/syntax-tree.js';
import { checkPattern, hasWord, wholePattern, wordPattern } from './patterns.js';
import type { Comparison, TypeRule } from './type-failures.js';
import type { CheckedNode } from './typed-tree.js';

/** The shared rules of types without an order: no comparison operators, no range. */
export const UNORDERED: Pick<TypeRule, 'compares' | 'inRange'> = {
  compares: (comparison) => comparison.fail('order'),
  inRange: (comparison, range) => comparison.fail('order', range),
};

/** Any text is a keyword, the empty one too; letter case and accents are folded by the index. */
export const KEYWORD: TypeRule = {
  ...UNORDERED,
  equals: ({ field }, value) => ({ kind: 'equal', field, value: composed(value.text) }),
  matches: (comparison, value, pattern) => checkPattern(comparison, value, 'whole', wholePattern(pattern)),
};

/** `:` searches for adjacent words, the other spellings compare the whole value if the index stores it. */
export const TEXT: TypeRule = {
  ...UNORDERED,
  equals: (comparison, value, form) => {
    if (form === 'whole') return refusesWholeValues(comparison) ? undefined : KEYWORD.equals(comparison, value, form);
    if (!hasWord(value.text)) return comparison.fail('words', value);
    return { kind: 'words', field: comparison.field, words: composed(value.text) };
  },
  matches: (comparison, value, pattern, form) => {
    if (form === 'whole') {
      return refusesWholeValues(comparison) ? undefined : KEYWORD.matches(comparison, value, pattern, form);
    }
    const folded = wordPattern(pattern);
    return folded === undefined
      ? comparison.fail('wordPattern', value)
      : checkPattern(comparison, value, 'word', folded);
  },
};

/** Returns whether the field is text of which the index stores only the words; then whole values are rejected. */
export function refusesWholeValues(comparison: Comparison): boolean {
  const { type, exact } = comparison.field;
  if (type !== 'text' || exact) return false;
  comparison.fail('wholeValue');
  return true;
}

/** `true` and `false` in any letter case. */
export const BOOLEAN: TypeRule = {
  ...UNORDERED,
  equals: (comparison, value) => {
    const word = value.text.toLowerCase();
    if (word !== 'true' && word !== 'false') return comparison.fail('boolean', value);
    return { kind: 'equal', field: comparison.field, value: word === 'true' };
  },
  matches: (comparison, value) => comparison.fail('pattern', value),
};

/**
 * Returns text composed to NFC, as the index stores it. ASCII is already composed: to check that takes a tenth of the
 * time.
 */
function composed(text: string): string {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= 128) return text.normalize('NFC');
  }
  return text;
}

const ADDRESS_FORM = /^0x[0-9a-f]{1,64}$/i;
const MIN_PREFIX_DIGITS = 2;

/** `0x` and 1 to 64 hexadecimal digits in any letter case; the checksum spelling of EIP-55 is not verified. */
export const ADDRESS: TypeRule = {
  ...UNORDERED,
  equals: (comparison, value) => {
    const { text } = value;
    if (!ADDRESS_FORM.test(text)) return comparison.fail('address', value);
    return { kind: 'equal', field: comparison.field, value: text };
  },
  matches: matchesStart,
};

/** A pattern may only fix the beginning: `0x2f*`. */
function matchesStart(comparison: Comparison, value: ValueNode, pattern: string): CheckedNode | undefined {
  const start = pattern.slice(0, -1);
  if (!pattern.endsWith('*') || /[*?]/.test(start)) return comparison.fail('addressPattern', value);
  const digits = start.replace(/^0x/i, '').length;
  if (digits > 0 && !ADDRESS_FORM.test(start)) return comparison.fail('address', value);
  if (digits < MIN_PREFIX_DIGITS) return comparison.fail('addressStart', value);
  return checkPattern(comparison, value, 'whole', pattern);
}
