import { hash } from 'node:crypto';
import { canonicalJson } from '@carbon/contracts';

/** The first 128 bits of a SHA-256, as four 32-bit numbers: equal contents, and for all that can happen only those. */
export type Digest = readonly [number, number, number, number];

/** The digest of an id. */
export function digestOfId(id: string): Digest {
  const bytes = hash('sha256', id, 'buffer');
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
}

/** The digest of a document's content, in whatever order its fields stand, and of the version it should have. */
export function digestOf(document: object, version: bigint): Digest {
  return digestOfId(`${version} ${canonicalJson(document)}`);
}

/** Whether two digests are the same. */
export function sameDigest(one: Digest, other: Digest): boolean {
  return one.every((word, place) => word === other[place]);
}
