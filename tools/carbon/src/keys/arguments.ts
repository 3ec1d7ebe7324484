import { KEY_ID, planName, readKey, SCOPES, type Scope } from '@carbon/auth';
import { accountSchema, plainText } from '@carbon/contracts';
import { durationOf, InvalidArgumentError, timeOf } from '@carbon/terminal';
import type { z } from 'zod';

const MAX_MS = 36_500 * 86_400_000;
/** The last time that RFC 3339 can write, Unix ms. */
export const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A duration in milliseconds: `90d`, `24h`, `30m`, `45s`. */
export function readDuration(text: string): number {
  const ms = durationOf(text);
  if (!(ms > 0 && ms <= MAX_MS)) throw new InvalidArgumentError('must be a duration such as 90d, 24h, 30m or 45s.');
  return ms;
}

/** When a key expires: a time, or a duration from `now` (Unix ms). */
export function readExpiry(text: string, now = Date.now()): Date {
  const span = durationOf(text);
  const ms = Number.isNaN(span) ? timeOf(text) : now + span;
  if (!(ms > now && ms <= LAST_MS) || span > MAX_MS)
    throw new InvalidArgumentError('must be a future time (2027-01-31T00:00:00Z) or a duration (90d).');
  return new Date(ms);
}

/** Scopes, separated by commas. */
export function readScopes(text: string): readonly Scope[] {
  const named = text.split(',').map((name) => name.trim());
  const known = SCOPES.filter((scope) => named.includes(scope));
  if (known.length === named.length) return known;
  throw new InvalidArgumentError(`must be some of ${SCOPES.join(',')}, each once.`);
}

/** The public id of a key; a whole key will do, so that whoever finds one can revoke it. */
export function readKeyId(text: string): string {
  const id = readKey(text)?.id ?? text;
  if (KEY_ID.test(id)) return id;
  throw new InvalidArgumentError('must be the id of a key, 12 characters, as `list` prints it.');
}

/** The name of an account. */
export const readAccount = validated(accountSchema);

/** The name of a key, for people. */
export const readName = validated(plainText(1, 64));

/** The name of a plan. */
export const readPlanName = validated(planName);

function validated(schema: z.ZodType<string, string>): (text: string) => string {
  return (text) => {
    const read = schema.safeParse(text);
    if (read.success) return read.data;
    throw new InvalidArgumentError(`${read.error.issues[0]?.message}.`);
  };
}
