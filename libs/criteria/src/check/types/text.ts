import { operatorsOf } from '../../describe/operators.js';
import { echo } from '../../errors/echo.js';
import type { ValueNode } from '../../parse/nodes.js';
import type { CheckedNode } from '../nodes.js';
import { composed } from './composed.js';
import { hasWord } from './has-word.js';
import { checkPattern } from './pattern.js';
import type { Comparison, TypeRule } from './type-rule.js';
import { UNORDERED } from './unordered.js';
import { wholePattern } from './whole-pattern.js';
import { wordPattern, wordsOfPattern } from './word-pattern.js';

/** `:` looks for words in a row, the other spellings compare the whole value where the index keeps it. */
export const TEXT: TypeRule = {
  ...UNORDERED,
  equals: (comparison, value, form) => {
    if (form === 'words') return words(comparison, value);
    if (refuseOnWords(comparison, asWritten(value))) return undefined;
    return { kind: 'equal', field: comparison.field, value: composed(value.text) };
  },
  resembles: (comparison, value, pattern, form) => {
    if (form === 'words') return word(comparison, value, pattern);
    if (refuseOnWords(comparison, asWritten(value))) return undefined;
    return checkPattern(comparison, value, 'whole', wholePattern(pattern));
  },
};

/** Whether the field is text of which the index keeps the words only; then whole values are refused. */
export function refuseOnWords({ field, predicate, findings }: Comparison, value = 'word'): boolean {
  if (field.type !== 'text' || field.exact) return false;
  const detail = `"${echo(predicate.operator)}" cannot be used with text field "${field.name}"`;
  findings.add('OPERATOR_NOT_ALLOWED', predicate, detail, {
    hint: `"${field.name}" is free text: write ${field.name}:${echo(value)} or use fullTextSearch`,
    allowed: operatorsOf(field),
  });
  return true;
}

function words({ field, findings }: Comparison, value: ValueNode): CheckedNode | undefined {
  if (hasWord(value.text)) return { kind: 'words', field, words: composed(value.text) };
  return findings.add('INVALID_VALUE', value, `"${echo(value.text)}" holds no word to look for`, {
    expectedType: 'text',
  });
}

/** A pattern for some word of the text: the index holds words only, so nothing that parts them may stand in it. */
function word(comparison: Comparison, value: ValueNode, pattern: string): CheckedNode | undefined {
  const folded = wordPattern(pattern);
  if (folded !== undefined) return checkPattern(comparison, value, 'word', folded);
  const { field, findings } = comparison;
  const hints = [partsHint(field.name, pattern), field.exact && wholeHint(field.name, pattern)].filter(Boolean);
  return findings.add('PATTERN_NOT_ALLOWED', value, 'a pattern for a word holds letters, digits, "_", "*" and "?"', {
    hint: hints.length === 0 ? 'ask for a word of the text' : `write ${hints.join(', or ')}`,
  });
}

/** The same condition, nearly: of each word by itself. */
function partsHint(name: string, pattern: string): string | undefined {
  const words = wordsOfPattern(pattern);
  if (words.length === 0 || words.some((word) => /^[*?]/.test(word))) return undefined;
  return `${name}:${words.length === 1 ? echo(words[0] ?? '') : `(${echo(words.join(' and '))})`}`;
}

function wholeHint(name: string, pattern: string): string | undefined {
  const literals = pattern.replaceAll(/[*?]/g, '').length;
  const isNarrow = literals >= (/^[*?]/.test(pattern) ? 3 : 1);
  return isNarrow ? `for the whole value ${name} like "${echo(pattern).replaceAll('"', '\\"')}"` : undefined;
}

function asWritten(value: ValueNode): string {
  return value.quoted ? `"${value.text}"` : value.text;
}
