import {
  isLive,
  type KeyEntry,
  type KeyFile,
  MAX_LIVE_KEYS,
  newKey,
  type Plan,
  planNamed,
  secretDigest,
  UNLIMITED_PLAN,
} from '@carbon/auth';
import { CommandError } from '@carbon/terminal';
import { LAST_MS } from './arguments.js';

/** What a new key is made of, except for its random parts. */
export interface KeyRequest extends Pick<KeyEntry, 'account' | 'name' | 'scopes' | 'plan' | 'idempotencyKeyRequired'> {
  readonly expiresAt?: string | undefined;
}

/** A key at the one moment when its text is known. */
export interface MadeKey {
  readonly entry: KeyEntry;
  readonly key: string;
}

/** A changed file, and the result of the change. */
export interface Change<T> {
  readonly file: KeyFile;
  readonly result: T;
}

/** Creates a key. @throws CommandError when the account has the maximum of live keys, or there is no such plan */
export function createKey(file: KeyFile, request: KeyRequest, now: number): Change<MadeKey> {
  const { expiresAt, ...members } = request;
  if (planNamed(request.plan, file.plans) === undefined) {
    throw new CommandError(`there is no plan ${request.plan}; \`plans\` lists them, \`plan\` creates one`);
  }
  const live = file.keys.filter((entry) => entry.account === request.account && isLive(entry, now));
  if (live.length >= MAX_LIVE_KEYS) {
    const ids = live.map(({ id }) => id).join(' and ');
    throw new CommandError(`${request.account} has ${MAX_LIVE_KEYS} live keys already, ${ids}; revoke one first`);
  }
  const { id, secret, text: key } = newKey();
  const sha256 = secretDigest(secret).toString('hex');
  const createdAt = new Date(now).toISOString();
  const entry: KeyEntry = { id, ...members, sha256, createdAt, ...(expiresAt !== undefined && { expiresAt }) };
  return { file: { ...file, keys: [...file.keys, entry] }, result: { entry, key } };
}

/** Revokes a key. One that is revoked already stays as it is. */
export function revokeKey(file: KeyFile, id: string, now: number): Change<KeyEntry> {
  const entry = entryOf(file, id);
  const result = entry.revokedAt === undefined ? { ...entry, revokedAt: new Date(now).toISOString() } : entry;
  return { file: withEntry(file, result), result };
}

/** A new key, and the key that it replaces: before, and with its new end. */
export interface Rotation extends MadeKey {
  readonly before: KeyEntry;
  readonly old: KeyEntry;
}

/** Replaces a key by a new one with the same lifetime. The old one stays valid during the overlap (ms), if it does not expire. */
export function rotateKey(file: KeyFile, id: string, overlapMs: number, now: number): Change<Rotation> {
  const before = entryOf(file, id);
  if (!isLive(before, now)) throw new CommandError(`the key ${id} is no longer valid; \`create\` creates a new one`);
  const { id: _, sha256: __, createdAt, expiresAt, ...members } = before;
  const lifetimeMs = expiresAt === undefined ? undefined : Date.parse(expiresAt) - Date.parse(createdAt);
  const expires = lifetimeMs === undefined ? undefined : new Date(Math.min(now + lifetimeMs, LAST_MS)).toISOString();
  const made = createKey(file, { ...members, expiresAt: expires }, now);
  const ends = Math.min(now + overlapMs, expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt));
  const old = { ...before, expiresAt: new Date(ends).toISOString() };
  return { file: withEntry(made.file, old), result: { ...made.result, before, old } };
}

/**
 * Undoes a rotation whose new key nobody has: removes that key, and restores the old one unless it was revoked or removed since. The
 * result is whether it is restored.
 */
export function undoRotation(file: KeyFile, { entry, before }: Rotation): Change<boolean> {
  const rest = { ...file, keys: file.keys.filter(({ id }) => id !== entry.id) };
  const isKept = rest.keys.some(({ id, revokedAt }) => id === before.id && revokedAt === undefined);
  return { file: isKept ? withEntry(rest, before) : rest, result: isKept };
}

/** Sets a plan, or removes it when no limit is given. @throws CommandError for `unlimited`, and for a plan that keys use */
export function setPlan(file: KeyFile, name: string, limit: KeyFile['plans'][string] | undefined): Change<Plan> {
  if (name === UNLIMITED_PLAN.name) throw new CommandError('the plan unlimited is built in and cannot be changed');
  const { [name]: _, ...others } = file.plans;
  const plans = limit === undefined ? others : { ...others, [name]: limit };
  const user = file.keys.find(({ plan }) => planNamed(plan, plans) === undefined);
  if (user !== undefined) throw new CommandError(`the plan ${name} is used by the key ${user.id} of ${user.account}`);
  return { file: { ...file, plans }, result: planNamed(name, plans) ?? { name } };
}

function entryOf({ keys }: KeyFile, id: string): KeyEntry {
  const entry = keys.find((one) => one.id === id);
  if (entry === undefined) throw new CommandError(`there is no key ${id}; \`list\` lists them`);
  return entry;
}

function withEntry(file: KeyFile, entry: KeyEntry): KeyFile {
  return { ...file, keys: file.keys.map((one) => (one.id === entry.id ? entry : one)) };
}
