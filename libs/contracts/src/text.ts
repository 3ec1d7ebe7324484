import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';

const CONTROL = /\p{Cc}/u;
/** The same for JSON Schema, whose readers do not all know `\p`. */
const WITHOUT_CONTROLS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** The number of Unicode code points in `text` (a surrogate pair counts once). */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * A string of `min`–`max` Unicode code points without control characters. Lone surrogates are refused as well: neither
 * UTF-8 nor PostgreSQL can hold them. JSON Schema counts code points as well, so there the same is said in its own words.
 */
export function plainText(min: number, max: number) {
  return z
    .string()
    .refine((text) => text.length >= min && text.length <= 2 * max && within(text, min, max), {
      error: `must be ${min} to ${max} characters long`,
    })
    .refine((text) => !CONTROL.test(text) && text.isWellFormed(), { error: 'must not contain control characters' })
    .meta({ minLength: min, maxLength: max, pattern: WITHOUT_CONTROLS });
}

// A code point takes one or two UTF-16 code units, so most texts need not be counted.
function within(text: string, min: number, max: number): boolean {
  if (text.length >= 2 * min && text.length <= max) return true;
  const length = codePoints(text);
  return length >= min && length <= max;
}

/** Returns the RFC 8785 (JCS) text of a JSON value. @throws TypeError for any other value */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('only a JSON value has a canonical form');
  return text;
}

/** Returns the SHA-256 of a value's canonical JSON, lower-case hex. */
export function canonicalJsonHash(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}
