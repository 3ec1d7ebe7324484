import { KEY_ID, planName, readKey, SCOPES, type Scope } from '@carbon/auth';
import { accountSchema, plainText } from '@carbon/contracts';
import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 36_500 * 86_400_000;

/** A span of time, in ms: `90d`, `24h`, `30m`, `45s`. */
export function readSpan(text: string): number {
  const ms = spanOf(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('must be a span such as 90d, 24h, 30m or 45s.');
  return ms;
}

/** When a key shall expire: a moment in time, or how long from `now` (Unix ms). */
export function readExpiry(text: string, now = Date.now()): Date {
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/.test(text);
  const ms = isMoment ? Date.parse(text) : now + spanOf(text);
  if (!(ms > now)) throw new InvalidArgumentError('must be a time to come (2027-01-31T00:00:00Z) or a span (90d).');
  return new Date(ms);
}

/** Scopes with commas between. */
export function readScopes(text: string): readonly Scope[] {
  const named = text.split(',').map((name) => name.trim());
  const known = SCOPES.filter((scope) => named.includes(scope));
  if (known.length === named.length) return known;
  throw new InvalidArgumentError(`must be some of ${SCOPES.join(',')}, each once.`);
}

/** The public id of a key, or that in a whole key: whoever finds one somewhere may revoke it so. */
export function readId(text: string): string {
  const id = readKey(text)?.id ?? text;
  if (KEY_ID.test(id)) return id;
  throw new InvalidArgumentError('must be the id of a key, 12 characters; `list` tells them.');
}

/** The name of an account. */
export const readAccount = reading(accountSchema);

/** The name of a key, for people. */
export const readName = reading(plainText(1, 64));

/** The name of a plan. */
export const readPlanName = reading(planName);

/** A number of requests. */
export function readCount(text: string): number {
  if (/^[1-9][0-9]{0,6}$/.test(text) && Number(text) <= 1_000_000) return Number(text);
  throw new InvalidArgumentError('must be a whole number from 1 to 1000000.');
}

/** In ms; NaN for what is no span, or too long to be meant. */
function spanOf(text: string): number {
  const [, count, unit = ''] = /^([1-9][0-9]{0,8})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  return ms > LONGEST_MS ? Number.NaN : ms;
}

function reading(schema: z.ZodType<string, string>): (text: string) => string {
  return (text) => {
    const read = schema.safeParse(text);
    if (read.success) return read.data;
    throw new InvalidArgumentError(`${read.error.issues[0]?.message}.`);
  };
}
