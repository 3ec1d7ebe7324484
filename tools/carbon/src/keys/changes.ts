import {
  digestOf,
  isLive,
  type KeyEntry,
  type KeyFile,
  MAX_LIVE_KEYS,
  newKey,
  type Plan,
  planCalled,
  planName,
  UNLIMITED_PLAN,
} from '@carbon/auth';
import { CannotDo } from '@carbon/terminal';

/** What a key is made of, but for what is made at random. */
export interface Wanted extends Pick<KeyEntry, 'account' | 'name' | 'scopes' | 'plan'> {
  readonly expiresAt?: string | undefined;
}

/** A key at the one moment when its text is known. */
export interface MadeKey {
  readonly entry: KeyEntry;
  readonly text: string;
}

/** A changed file, and what came of it. */
export interface Change<T> {
  readonly file: KeyFile;
  readonly result: T;
}

/** A new key. @throws CannotDo when the account has as many as it may have, or there is no such plan */
export function created(file: KeyFile, wanted: Wanted, now: number): Change<MadeKey> {
  if (planCalled(wanted.plan, file.plans) === undefined) {
    throw new CannotDo(`there is no plan ${wanted.plan}; \`plans\` tells which there are, \`plan\` makes one`);
  }
  const live = file.keys.filter((entry) => entry.account === wanted.account && isLive(entry, now));
  if (live.length >= MAX_LIVE_KEYS) {
    const ids = live.map(({ id }) => id).join(' and ');
    throw new CannotDo(`${wanted.account} has ${MAX_LIVE_KEYS} live keys already, ${ids}; revoke one first`);
  }
  const { id, secret, text } = newKey();
  const { expiresAt, ...rest } = wanted;
  const entry: KeyEntry = {
    id,
    ...rest,
    sha256: digestOf(secret).toString('hex'),
    createdAt: new Date(now).toISOString(),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  return { file: { ...file, keys: [...file.keys, entry] }, result: { entry, text } };
}

/** A key that is taken no more. One that was revoked before stays as it is. */
export function revoked(file: KeyFile, id: string, now: number): Change<KeyEntry> {
  const entry = entryOf(file, id);
  const result = entry.revokedAt === undefined ? { ...entry, revokedAt: new Date(now).toISOString() } : entry;
  return { file: replaced(file, result), result };
}

/**
 * A key in the place of another, which is taken for an overlap (ms) longer. The new one lives as long as the old one was made
 * to live, if that was not for ever.
 */
export function rotated(
  file: KeyFile,
  id: string,
  overlapMs: number,
  now: number,
): Change<MadeKey & { old: KeyEntry }> {
  const before = entryOf(file, id);
  if (!isLive(before, now)) throw new CannotDo(`the key ${id} is taken no more; \`create\` makes a new one`);
  const { account, name, scopes, plan, createdAt, expiresAt } = before;
  const lifeMs = expiresAt === undefined ? undefined : Date.parse(expiresAt) - Date.parse(createdAt);
  const wanted = {
    account,
    name,
    scopes,
    plan,
    expiresAt: lifeMs === undefined ? undefined : new Date(now + lifeMs).toISOString(),
  };
  const made = created(file, wanted, now);
  const ends = Math.min(now + overlapMs, expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt));
  const old = { ...before, expiresAt: new Date(ends).toISOString() };
  return { file: replaced(made.file, old), result: { ...made.result, old } };
}

/** A plan made or changed; none takes it away. @throws CannotDo for `unlimited`, and for taking away what keys use */
export function planned(file: KeyFile, name: string, limit: KeyFile['plans'][string] | undefined): Change<Plan> {
  planName.parse(name);
  if (name === UNLIMITED_PLAN.name) throw new CannotDo('the plan unlimited is always there and cannot be changed');
  const { [name]: _, ...others } = file.plans;
  const plans = limit === undefined ? others : { ...others, [name]: limit };
  const user = file.keys.find(({ plan }) => planCalled(plan, plans) === undefined);
  if (user !== undefined) throw new CannotDo(`the plan ${name} is used by the key ${user.id} of ${user.account}`);
  return { file: { ...file, plans }, result: planCalled(name, plans) ?? { name } };
}

function entryOf({ keys }: KeyFile, id: string): KeyEntry {
  const entry = keys.find((one) => one.id === id);
  if (entry === undefined) throw new CannotDo(`there is no key ${id}; \`list\` tells which there are`);
  return entry;
}

function replaced(file: KeyFile, entry: KeyEntry): KeyFile {
  return { ...file, keys: file.keys.map((one) => (one.id === entry.id ? entry : one)) };
}
