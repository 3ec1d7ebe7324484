import { DEFAULT_PLAN, isLive, type KeyEntry, type KeyFile, type Plan, planCalled, UNLIMITED_PLAN } from '@carbon/auth';
import type { Column } from '@carbon/terminal';

/** A key as it is shown: all but its hash. */
export interface ShownKey extends Omit<KeyEntry, 'sha256'> {
  readonly state: 'live' | 'expired' | 'revoked';
}

/** What is shown of a key. */
export function shownKey({ sha256: _, ...entry }: KeyEntry, now: number): ShownKey {
  const dead = entry.revokedAt === undefined ? 'expired' : 'revoked';
  return { ...entry, state: isLive({ sha256: '', ...entry }, now) ? 'live' : dead };
}

/** The columns of the list of keys. */
export const KEY_COLUMNS: readonly Column<ShownKey>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATE', of: ({ state }) => state },
  { title: 'ACCOUNT', of: ({ account }) => account, least: 8 },
  { title: 'NAME', of: ({ name }) => name, least: 8, rank: 1 },
  { title: 'SCOPES', of: ({ scopes }) => scopes.join(','), least: 12, rank: 3 },
  { title: 'PLAN', of: ({ plan }) => plan, rank: 4 },
  { title: 'CREATED', of: ({ createdAt }) => minuteOf(createdAt), rank: 5 },
  { title: 'ENDS', of: ({ revokedAt, expiresAt }) => minuteOf(revokedAt ?? expiresAt), rank: 2 },
];

/** Every plan of a file, those that are always there included. */
export function plansOf({ plans }: KeyFile): readonly Plan[] {
  const names = new Set([DEFAULT_PLAN.name, UNLIMITED_PLAN.name, ...Object.keys(plans)]);
  return [...names].flatMap((name) => planCalled(name, plans) ?? []);
}

/** The columns of the list of plans. */
export const PLAN_COLUMNS: readonly Column<Plan>[] = [
  { title: 'PLAN', of: ({ name }) => name },
  { title: 'REQUESTS/S', of: ({ limit }) => limit?.perSecond ?? 'unlimited', align: 'right' },
  { title: 'AT ONCE', of: ({ limit }) => limit?.burst ?? 'unlimited', align: 'right' },
];

function minuteOf(time: string | undefined): string | undefined {
  return time === undefined ? undefined : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
