/** Crockford's base32 alphabet in lower case: no i, l, o, u (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const VALUES: ReadonlyMap<string, bigint> = new Map([...ALPHABET].map((letter, value) => [letter, BigInt(value)]));

/** `value` as exactly `length` letters, most significant first. */
export function encodeBase32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value, left = length; left > 0; left -= 1, rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text;
  return text;
}

/** The number behind `text`, or undefined when a letter is not of the (canonical, lower-case) alphabet. */
export function decodeBase32(text: string): bigint | undefined {
  let value = 0n;
  for (const letter of text) {
    const digit = VALUES.get(letter);
    if (digit === undefined) return undefined;
    value = (value << 5n) | digit;
  }
  return value;
}
