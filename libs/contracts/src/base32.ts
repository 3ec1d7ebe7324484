/** Crockford's base32 alphabet in lower case: no i, l, o, u (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODES = Buffer.from(ALPHABET, 'latin1');
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/**
 * The last `length` × 5 bits of `bytes` as letters, most significant first. Written into bytes: text that is joined letter
 * by letter is kept in its pieces, ten times as large, for as long as somebody remembers it.
 */
export function encodeBase32(bytes: Uint8Array, length: number): string {
  const letters = Buffer.allocUnsafe(length);
  let pending = 0;
  let bits = 0;
  let at = bytes.length - 1;
  for (let place = length - 1; place >= 0; place -= 1, pending >>= 5, bits -= 5) {
    if (bits < 5) {
      pending |= (bytes[at] ?? 0) << bits;
      bits += 8;
      at -= 1;
    }
    letters[place] = CODES[pending & 31] ?? 0;
  }
  return letters.toString('latin1');
}

/** The bits behind `text`, in the last bits of `size` bytes; undefined when a letter is not of the alphabet. */
export function decodeBase32(text: string, size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size);
  let pending = 0;
  let bits = 0;
  let at = size - 1;
  for (let letter = text.length - 1; letter >= 0; letter -= 1) {
    const value = VALUES.get(text[letter] ?? '');
    if (value === undefined) return undefined;
    pending |= value << bits;
    bits += 5;
    if (bits < 8) continue;
    bytes[at] = pending & 255;
    pending >>= 8;
    bits -= 8;
    at -= 1;
  }
  if (at >= 0) bytes[at] = pending;
  return bytes;
}
