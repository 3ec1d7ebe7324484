import { echo } from '../../errors/echo.js';
import type { ValueNode } from '../../parse/nodes.js';
import type { CheckedNode } from '../nodes.js';
import { hasWord } from './has-word.js';
import type { Comparison, TypeRule } from './type-rule.js';
import { UNORDERED } from './unordered.js';

/** `:` looks for words in a row, the other spellings compare the whole value where the index keeps it. */
export const TEXT: TypeRule = {
  ...UNORDERED,
  equals: (comparison, value, form) => (form === 'words' ? words(comparison, value) : whole(comparison, value)),
};

function words({ field, findings }: Comparison, value: ValueNode): CheckedNode | undefined {
  if (hasWord(value.text)) return Object.freeze({ kind: 'words', field, words: value.text.normalize('NFC') });
  return findings.add('INVALID_VALUE', value, `"${echo(value.text)}" holds no word to look for`, {
    expectedType: 'text',
  });
}

function whole({ field, predicate, operator, findings }: Comparison, value: ValueNode): CheckedNode | undefined {
  if (field.exact) return Object.freeze({ kind: 'equal', field, value: value.text.normalize('NFC') });
  const detail = `"${echo(operator.text)}" cannot be used with text field "${field.name}"`;
  return findings.add('OPERATOR_NOT_ALLOWED', predicate, detail, {
    hint: `"${field.name}" is free text: write ${field.name}:${echo(asWritten(value))} or use fullTextSearch`,
    allowed: [':', 'exists'],
  });
}

function asWritten(value: ValueNode): string {
  return value.quoted ? `"${value.text}"` : value.text;
}
