import { timingSafeEqual } from 'node:crypto';
import { type KeyEntry, type Plan, planNamed, type Scope, validUntil } from './key-entry.js';
import { type KeyFile, MAX_LIVE_KEYS } from './key-file.js';
import { readKey, secretDigest } from './key-format.js';

/** The account and the permissions of a key. */
export interface KeyHolder {
  readonly id: string;
  readonly account: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly plan: Plan;
  /** Whether its new offsets need an `Idempotency-Key`. */
  readonly idempotencyKeyRequired?: true;
}

interface KnownKey {
  readonly holder: KeyHolder;
  readonly digest: Buffer;
  /** Unix milliseconds, as is `createdAt`. */
  readonly until: number;
  readonly createdAt: number;
}

/** A key counts as expiring at most in the last fifth of its life: else the successor of a short-lived key would count at once. */
const LIFE_PARTS = 5;

/** Compared when the key is unknown, so that every call takes the same time. */
const NO_SECRET = '0'.repeat(43);
const NO_DIGEST = Buffer.alloc(32);

/** The keys of a key file by id. */
export class KeyRing {
  private readonly known: ReadonlyMap<string, KnownKey>;

  constructor({ keys, plans }: KeyFile) {
    this.known = new Map(keys.map((entry) => [entry.id, knownKey(entry, plans)]));
  }

  /**
   * Returns the holder of a valid key; undefined for one that is malformed, unknown, wrong, revoked or expired. The time does
   * not reveal which: every call hashes one secret and compares one hash in constant time.
   */
  holderOf(text: string, now: number): KeyHolder | undefined {
    const parts = readKey(text);
    const known = parts && this.known.get(parts.id);
    const isRight = timingSafeEqual(secretDigest(parts?.secret ?? NO_SECRET), known?.digest ?? NO_DIGEST);
    return isRight && known !== undefined && now < known.until ? known.holder : undefined;
  }

  /** Returns the number of live keys. */
  live(now: number): number {
    return this.liveKeys(now).length;
  }

  /** Returns the accounts with more than MAX_LIVE_KEYS live keys. */
  accountsAtLimit(now: number): readonly string[] {
    const live = Map.groupBy(this.liveKeys(now), ({ holder }) => holder.account);
    return [...live].filter(([, keys]) => keys.length > MAX_LIVE_KEYS).map(([account]) => account);
  }

  /**
   * Returns the number of live keys that end within `withinMs`, or within the last fifth of their life if that is shorter, with no
   * key of their account that ends later and may do as much.
   */
  expiring(now: number, withinMs: number): number {
    const live = Map.groupBy(this.liveKeys(now), ({ holder }) => holder.account);
    const isReplacedBy = ({ holder, until }: KnownKey, other: KnownKey) =>
      other.until > until && [...holder.scopes].every((scope) => other.holder.scopes.has(scope));
    const isExpiring = (key: KnownKey, _: number, keys: readonly KnownKey[]) =>
      key.until - now <= Math.min(withinMs, (key.until - key.createdAt) / LIFE_PARTS) &&
      !keys.some((other) => isReplacedBy(key, other));
    return [...live.values()].reduce((count, keys) => count + keys.filter(isExpiring).length, 0);
  }

  private liveKeys(now: number): KnownKey[] {
    return [...this.known.values()].filter(({ until }) => now < until);
  }
}

function knownKey(entry: KeyEntry, plans: KeyFile['plans']): KnownKey {
  const { id, account, scopes, plan: name, sha256, idempotencyKeyRequired } = entry;
  const plan = planNamed(name, plans);
  // A key file without the plan is refused when it is read; without this a key would have no limit.
  if (plan === undefined) throw new RangeError(`There is no plan ${name}.`);
  return {
    holder: {
      id,
      account,
      scopes: new Set(scopes),
      plan,
      ...(idempotencyKeyRequired && { idempotencyKeyRequired }),
    },
    digest: Buffer.from(sha256, 'hex'),
    until: validUntil(entry),
    createdAt: Date.parse(entry.createdAt),
  };
}
