import { accountSchema, plainText } from '@carbon/contracts';
import { z } from 'zod';
import { KEY_ID } from './key-format.js';

/** The permissions of keys. */
export const SCOPES = ['offsets:write', 'offsets:read', 'assets:read'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** The rate limit of a plan: requests per second on average, and in a burst. */
export interface PlanLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** The plan of a key; `limit` is absent for an unlimited plan. */
export interface Plan {
  readonly name: string;
  readonly limit?: PlanLimit;
}

/** The plan of keys that name no plan. The key file may define it differently. */
export const DEFAULT_PLAN = { name: 'default', limit: { perSecond: 100, burst: 200 } } as const satisfies Plan;

/** The unlimited plan; no key file can change it. */
export const UNLIMITED_PLAN = { name: 'unlimited' } as const satisfies Plan;

const MAX_RATE = 1_000_000;
const rate = z
  .int({ error: 'must be an integer' })
  .min(1, { error: 'must be at least 1' })
  .max(MAX_RATE, { error: `must be at most ${MAX_RATE}` });

/** A plan in the key file. */
export const planSchema = z.union(
  [
    z.literal('unlimited'),
    z
      .strictObject({ perSecond: rate, burst: rate })
      .refine(({ perSecond, burst }) => burst >= perSecond, { error: 'must have a burst of at least perSecond' }),
  ],
  { error: 'must be "unlimited" or {"perSecond": …, "burst": …}, integers, with a burst of at least perSecond' },
);

/** The rule for the names of plans. */
export const PLAN_NAME_RULE = 'must be 1 to 32 characters from a-z, 0-9 and -, starting with a letter';

/** The name of a plan. */
export const planName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, { error: PLAN_NAME_RULE });

/** Returns the plan with this name, including the built-in plans. */
export function planNamed(
  name: string,
  plans: Readonly<Record<string, z.output<typeof planSchema>>>,
): Plan | undefined {
  if (name === UNLIMITED_PLAN.name) return UNLIMITED_PLAN;
  const defined = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (defined === undefined) return name === DEFAULT_PLAN.name ? DEFAULT_PLAN : undefined;
  return defined === 'unlimited' ? { name } : { name, limit: defined };
}

const time = z.iso.datetime({ error: 'must be a time in UTC, such as 2026-01-31T00:00:00Z' });
const scopes = z
  .array(z.enum(SCOPES, { error: `must be one of ${SCOPES.join(', ')}` }), { error: 'must be a list of scopes' })
  .min(1, { error: 'must contain at least one scope' })
  .refine((all) => new Set(all).size === all.length, { error: 'must contain each scope once' });

/** A key in the key file, with the hash of its secret. */
export const keyEntrySchema = z
  .strictObject({
    id: z.string().regex(KEY_ID, { error: 'must be the public id of a key, 12 characters' }),
    /** A human-readable name. */
    name: plainText(1, 64),
    account: accountSchema,
    scopes,
    plan: z.string().default(DEFAULT_PLAN.name),
    /** Whether a new offset needs an `Idempotency-Key`. */
    idempotencyKeyRequired: z.literal(true, { error: 'must be true, or absent' }).optional(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lower-case hexadecimal digits' }),
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
 * Returns the time until which a key is valid, in Unix milliseconds. A revoked key is invalid at any time, because the
 * clock that wrote the file may be ahead of ours.
 */
export function validUntil({ expiresAt, revokedAt }: KeyEntry): number {
  if (revokedAt !== undefined) return Number.NEGATIVE_INFINITY;
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

/** Whether a key is neither revoked nor expired. */
export function isLive(entry: KeyEntry, now: number): boolean {
  return now < validUntil(entry);
}
