import { z } from 'zod';

/** How often the keys of a plan may call: so many requests a second on average, so many at once. */
export interface PlanLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** What a key's plan allows; `limit` is absent for a plan without one. */
export interface Plan {
  readonly name: string;
  readonly limit?: PlanLimit;
}

/** The plan of keys that name no other, unless the key file says otherwise. */
export const DEFAULT_PLAN = { name: 'default', limit: { perSecond: 100, burst: 200 } } as const satisfies Plan;

/** The plan without a limit, which there always is, and always so. */
export const UNLIMITED_PLAN = { name: 'unlimited' } as const satisfies Plan;

const MOST = 1_000_000;
const number = z.int({ error: 'must be a whole number' }).min(1, { error: 'must be at least 1' });
const most = number.max(MOST, { error: `must be at most ${MOST}` });

/** What the key file says of a plan. */
export const planSchema = z.union(
  [
    z.literal('unlimited'),
    z
      .strictObject({ perSecond: most, burst: most })
      .refine(({ perSecond, burst }) => burst >= perSecond, { error: 'must have a burst of at least perSecond' }),
  ],
  { error: 'must be "unlimited" or {"perSecond": …, "burst": …}, whole numbers, the burst not the smaller' },
);

/** The name of a plan. */
export const planName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, { error: 'must be 1 to 32 of a-z 0-9 -, a letter first' });

/** A plan by its name, those that every file has included. */
export function planCalled(
  name: string,
  plans: Readonly<Record<string, z.output<typeof planSchema>>>,
): Plan | undefined {
  if (name === UNLIMITED_PLAN.name) return UNLIMITED_PLAN;
  const said = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (said === undefined) return name === DEFAULT_PLAN.name ? DEFAULT_PLAN : undefined;
  return said === 'unlimited' ? { name } : { name, limit: said };
}
