import { hash } from 'node:crypto';

/** The first 128 bits of a SHA-256, as four 32-bit numbers: equal texts, and for all that can happen only those. */
export type Digest = readonly [number, number, number, number];

/** The digest of a text, or of the bytes of a message. */
export function digestOf(text: string | Buffer): Digest {
  const bytes = hash('sha256', text, 'buffer');
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
}
