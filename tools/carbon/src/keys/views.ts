import { DEFAULT_PLAN, isLive, type KeyEntry, type KeyFile, type Plan, planNamed, UNLIMITED_PLAN } from '@carbon/auth';
import type { Column } from '@carbon/terminal';

/** A key as it is shown: everything but its hash. */
export interface KeyView extends Omit<KeyEntry, 'sha256'> {
  readonly state: 'live' | 'expired' | 'revoked';
}

/** The columns of the list of keys. */
export const KEY_COLUMNS: readonly Column<KeyView>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATE', of: ({ state }) => state },
  { title: 'ACCOUNT', of: ({ account }) => account, least: 8 },
  { title: 'NAME', of: ({ name }) => name, least: 8, rank: 1 },
  { title: 'SCOPES', of: ({ scopes }) => scopes.join(','), least: 12, rank: 3 },
  { title: 'PLAN', of: ({ plan }) => plan, rank: 4 },
  { title: 'CREATED', of: ({ createdAt }) => minuteOf(createdAt), rank: 5 },
  { title: 'ENDS', of: ({ revokedAt, expiresAt }) => minuteOf(revokedAt ?? expiresAt), rank: 2 },
];

/** The columns of the list of plans. */
export const PLAN_COLUMNS: readonly Column<Plan>[] = [
  { title: 'PLAN', of: ({ name }) => name },
  { title: 'REQUESTS/S', of: ({ limit }) => limit?.perSecond ?? 'unlimited', align: 'right' },
  { title: 'BURST', of: ({ limit }) => limit?.burst ?? 'unlimited', align: 'right' },
];

/** Returns what is shown of a key. @param now Unix milliseconds */
export function keyView({ sha256: _, ...entry }: KeyEntry, now: number): KeyView {
  const ended = entry.revokedAt === undefined ? 'expired' : 'revoked';
  return { ...entry, state: isLive({ sha256: '', ...entry }, now) ? 'live' : ended };
}

/** Returns every plan of a file, with those that are built in. */
export function plansOf({ plans }: KeyFile): readonly Plan[] {
  const names = new Set([DEFAULT_PLAN.name, UNLIMITED_PLAN.name, ...Object.keys(plans)]);
  return [...names].flatMap((name) => planNamed(name, plans) ?? []);
}

function minuteOf(time: string | undefined): string | undefined {
  return time === undefined ? undefined : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
