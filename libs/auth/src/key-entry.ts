import { accountSchema, plainText } from '@carbon/contracts';
import { z } from 'zod';
import { KEY_ID } from './key-text.js';
import { DEFAULT_PLAN } from './plan.js';
import { SCOPES } from './scope.js';

const time = z.iso.datetime({ error: 'must be a time in UTC, such as 2026-01-31T00:00:00Z' });
const scopes = z
  .array(z.enum(SCOPES, { error: `must be one of ${SCOPES.join(', ')}` }), { error: 'must be a list of scopes' })
  .min(1, { error: 'must hold at least one scope' })
  .refine((all) => new Set(all).size === all.length, { error: 'must hold each scope once' });

/** A key as the key file has it: all but its secret, of which only the hash is there. */
export const keyEntrySchema = z
  .strictObject({
    id: z.string().regex(KEY_ID, { error: 'must be the public id of a key, 12 characters' }),
    /** What people call it. */
    name: plainText(1, 64),
    account: accountSchema,
    scopes,
    plan: z.string().default(DEFAULT_PLAN.name),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits, in lower case' }),
    createdAt: time,
    expiresAt: time.optional(),
    revokedAt: time.optional(),
  })
  .refine(({ createdAt, expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > Date.parse(createdAt), {
    path: ['expiresAt'],
    error: 'must be later than createdAt',
  });

/** One key of the key file. */
export type KeyEntry = Readonly<z.output<typeof keyEntrySchema>>;

/**
 * Until when a key is taken, as Unix milliseconds: for ever, till it expires, or no more. A revoked key is dead whatever
 * time its file says, for the clock that wrote it may be ahead of ours.
 */
export function validUntil({ expiresAt, revokedAt }: KeyEntry): number {
  if (revokedAt !== undefined) return Number.NEGATIVE_INFINITY;
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

/** Whether a key is taken now. */
export function isLive(entry: KeyEntry, now: number): boolean {
  return now < validUntil(entry);
}
