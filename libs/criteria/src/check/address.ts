import type { ValueNode } from '../parse/nodes.js';
import type { Comparison, TypeRule } from './comparison.js';
import type { CheckedNode } from './nodes.js';
import { checkPattern } from './patterns.js';
import { UNORDERED } from './text.js';

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
  matches: startsWith,
};

/** A pattern may only fix the beginning: `0x2f*`. */
function startsWith(comparison: Comparison, value: ValueNode, pattern: string): CheckedNode | undefined {
  const start = pattern.slice(0, -1);
  if (!pattern.endsWith('*') || /[*?]/.test(start)) return comparison.fail('addressPattern', value);
  const digits = start.replace(/^0x/i, '').length;
  if (digits > 0 && !ADDRESS_FORM.test(start)) return comparison.fail('address', value);
  if (digits < MIN_PREFIX_DIGITS) return comparison.fail('addressStart', value);
  return checkPattern(comparison, value, 'whole', pattern);
}
