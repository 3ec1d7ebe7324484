import { z } from 'zod';
import { type Setting, setting } from '../setting.js';

const LENGTH = 32;
/** What every header and every shell can hold. */
const VISIBLE = /^[\x21-\x7e]*$/;
/** A long secret of few different characters is a placeholder. */
const DIFFERENT = 8;
const MAKE = '`npm start` makes one in .local/environment; elsewhere use `openssl rand -base64 48`';

/**
 * Secrets separated by commas: the first signs, all verify, so that a secret can be changed without a break. There is no
 * default: a known secret is none.
 */
export function secretList(purpose: string): Setting<readonly string[]> {
  const schema = z
    .string({ error: `must be set to one or more secrets of at least ${LENGTH} characters; ${MAKE}` })
    .transform((list) => list.split(',').map((secret) => secret.trim()))
    .refine((list) => list.every(isStrong), {
      error: `must hold secrets of at least ${LENGTH} random characters, visible ASCII without spaces, separated by commas; ${MAKE}`,
    });
  const description = `${purpose} Secrets of at least ${LENGTH} characters of visible ASCII, separated by commas: the first signs, all verify.`;
  return setting(schema, { description, secret: true });
}

function isStrong(secret: string): boolean {
  return secret.length >= LENGTH && VISIBLE.test(secret) && new Set(secret).size >= DIFFERENT;
}
