import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The RFC 8785 (JCS) text of a JSON value: sorted keys, shortest numbers. Throws a TypeError for what is not JSON. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('only a JSON value has a canonical form');
  return text;
}

/** SHA-256 of the canonical JSON of `value`, lower-case hex. */
export function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}
