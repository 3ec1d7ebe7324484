import { hash } from 'node:crypto';

/** Crockford's base32 alphabet in lower case: no i, l, o, u (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODES = Buffer.from(ALPHABET, 'latin1');
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/**
 * Returns the last `length` × 5 bits of `bytes` as letters, most significant first. Written through a Buffer: a string joined
 * letter by letter is a rope, ten times as large while it is cached.
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

/** Returns the bits of `text` in the last bits of `size` bytes; undefined when a letter is not in the alphabet. */
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

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

/**
 * HMAC-SHA-256 (RFC 2104) with a precomputed key. Node has no one-shot HMAC, and a `Hmac` object per message costs several
 * times as much as the two hashes; the tests compare with Node's.
 */
export class HmacKey {
  private readonly inner: Uint8Array;
  /** Followed by room for the inner hash. */
  private readonly outer: Buffer;

  constructor(secret: string) {
    const key = Buffer.from(secret, 'utf8');
    const block = Buffer.alloc(BLOCK_BYTES);
    (key.length > BLOCK_BYTES ? Buffer.from(sha256(key), 'binary') : key).copy(block);
    this.inner = block.map((byte) => byte ^ 0x36);
    this.outer = Buffer.concat([block.map((byte) => byte ^ 0x5c)], BLOCK_BYTES + HASH_BYTES);
  }

  /** Returns the 32 bytes for a message. */
  sign(message: Uint8Array): Buffer {
    this.outer.write(sha256(Buffer.concat([this.inner, message])), BLOCK_BYTES, 'binary');
    return Buffer.from(sha256(this.outer), 'binary');
  }
}

/** Node returns a hash as a Buffer at four times the cost of a binary string. */
function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'binary');
}
