import { hash } from 'node:crypto';

/** The first 128 bits of a SHA-256, as four 32-bit numbers: equal texts, and for all that can happen only those. */
export type Digest = readonly [number, number, number, number];

/** The digest of a text, or of the bytes of a message. */
export function digestOf(text: string | Buffer): Digest {
  // As a string, which costs far less to make than a buffer.
  const bytes = hash('sha256', text, 'binary');
  return [wordOf(bytes, 0), wordOf(bytes, 4), wordOf(bytes, 8), wordOf(bytes, 12)];
}

function wordOf(bytes: string, at: number): number {
  const low = bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16);
  return (low | (bytes.charCodeAt(at + 3) << 24)) >>> 0;
}
