import { CODE, isDigit, SMALL } from '../../text/characters.js';

const EXPONENT = 0x65;

/**
 * The number of a literal `-?digits[.digits][e±digits]` or `-?.digits`; nothing when the text has another form.
 * Minus zero is zero. A literal too large for a double gives an infinity.
 */
export function numberOf(text: string): number | undefined {
  const start = text.charCodeAt(0) === CODE.minus ? 1 : 0;
  const whole = afterDigits(text, start);
  const fraction = whole < text.length && text.charCodeAt(whole) === CODE.dot ? afterDigits(text, whole + 1) : whole;
  if (fraction === whole + 1) return undefined;
  const end = whole === start ? fraction : afterExponent(text, fraction);
  return fraction > start && end === text.length ? Number(text) + 0 : undefined;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Where an exponent ends; where it would begin when there is none. */
function afterExponent(text: string, from: number): number {
  if (from === text.length || (text.charCodeAt(from) | SMALL) !== EXPONENT) return from;
  const sign = text.charCodeAt(from + 1);
  const digits = from + (sign === CODE.minus || sign === CODE.plus ? 2 : 1);
  const end = afterDigits(text, digits);
  return end === digits ? from : end;
}
