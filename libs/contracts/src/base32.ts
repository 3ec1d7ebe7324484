/** Crockford's base32 alphabet in lower case: no i, l, o, u (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/** The last `length` × 5 bits of `bytes` as letters, most significant first. */
export function encodeBase32(bytes: Uint8Array, length: number): string {
  let text = '';
  let pending = 0;
  let bits = 0;
  for (let at = bytes.length - 1; text.length < length; pending >>= 5, bits -= 5) {
    if (bits < 5) {
      pending |= (bytes[at] ?? 0) << bits;
      bits += 8;
      at -= 1;
    }
    text = ALPHABET[pending & 31] + text;
  }
  return text;
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
