import { echo } from '../../errors/echo.js';
import { isDigit } from '../../parse/characters.js';
import type { TypeRule } from './type-rule.js';
import { UNORDERED } from './unordered.js';

const MOST_DIGITS = 64;

/** `0x` and 1 to 64 hexadecimal digits in any letter case; the checksum spelling of EIP-55 is not verified. */
export const ADDRESS: TypeRule = {
  ...UNORDERED,
  equals: ({ field, findings }, { text, ...span }) => {
    const hasPrefix = text.startsWith('0x') || text.startsWith('0X');
    if (hasPrefix && isHexadecimal(text, 2)) return Object.freeze({ kind: 'equal', field, value: text });
    return findings.add('INVALID_VALUE', span, `"${echo(text)}" is not an address`, {
      expectedType: 'address',
      hint: isHexadecimal(text, 0) ? `write 0x${text}` : `an address is 0x and 1 to ${MOST_DIGITS} hexadecimal digits`,
    });
  },
};

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
