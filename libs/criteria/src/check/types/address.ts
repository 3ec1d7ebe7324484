import { echo } from '../../errors/echo.js';
import type { ValueNode } from '../../parse/nodes.js';
import { isDigit } from '../../text/characters.js';
import type { CheckedNode } from '../nodes.js';
import { checkPattern } from './pattern.js';
import type { Comparison, TypeRule } from './type-rule.js';
import { UNORDERED } from './unordered.js';

const MOST_DIGITS = 64;
const FEWEST_DIGITS_OF_PREFIX = 2;
const PREFIX_LENGTH = '0x'.length;

/** `0x` and 1 to 64 hexadecimal digits in any letter case; the checksum spelling of EIP-55 is not verified. */
export const ADDRESS: TypeRule = {
  ...UNORDERED,
  equals: (comparison, value) => {
    const { text } = value;
    if (!isAddress(text)) return refuse(comparison, value, text, '');
    return { kind: 'equal', field: comparison.field, value: text };
  },
  resembles: startsWith,
};

/** Only the beginning may be asked for: `0x2f*`. */
function startsWith(comparison: Comparison, value: ValueNode, pattern: string): CheckedNode | undefined {
  const { findings } = comparison;
  const start = pattern.slice(0, -1);
  if (!pattern.endsWith('*') || start.includes('*') || start.includes('?')) {
    const hint = 'write how it begins, such as 0x2f*';
    return findings.add('PATTERN_NOT_ALLOWED', value, 'an address takes one "*" at its end alone', { hint });
  }
  const digits = start.length - (hasPrefix(start) ? PREFIX_LENGTH : 0);
  if (digits > 0 && !isAddress(start)) return refuse(comparison, value, start, '*');
  if (digits >= FEWEST_DIGITS_OF_PREFIX) return checkPattern(comparison, value, 'whole', pattern);
  const detail = `the beginning of an address needs at least ${FEWEST_DIGITS_OF_PREFIX} digits`;
  return findings.add('PATTERN_TOO_BROAD', value, detail, { hint: 'such as 0x2f*' });
}

function refuse({ findings }: Comparison, value: ValueNode, text: string, end: '' | '*'): undefined {
  return findings.add('INVALID_VALUE', value, `"${echo(value.text)}" is not an address`, {
    expectedType: 'address',
    hint: isHexadecimal(text, 0)
      ? `write 0x${text}${end}`
      : `an address is 0x and 1 to ${MOST_DIGITS} hexadecimal digits`,
  });
}

function isAddress(text: string): boolean {
  return hasPrefix(text) && isHexadecimal(text, PREFIX_LENGTH);
}

function hasPrefix(text: string): boolean {
  return text.startsWith('0x') || text.startsWith('0X');
}

function isHexadecimal(text: string, from: number): boolean {
  const digits = text.length - from;
  if (digits < 1 || digits > MOST_DIGITS) return false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const lower = code | 0x20;
    if (!isDigit(code) && !(lower >= 0x61 && lower <= 0x66)) return false;
  }
  return true;
}
