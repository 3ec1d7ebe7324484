import { timingSafeEqual } from 'node:crypto';
import { type KeyEntry, validUntil } from './key-entry.js';
import { type KeyFile, MAX_LIVE_KEYS } from './key-file.js';
import { digestOf, readKey } from './key-text.js';
import { type Plan, planCalled } from './plan.js';
import type { Scope } from './scope.js';

/** Whom a key belongs to, and what it may do. */
export interface KeyHolder {
  readonly id: string;
  readonly account: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly plan: Plan;
}

interface KnownKey {
  readonly holder: KeyHolder;
  readonly digest: Buffer;
  /** Unix milliseconds. */
  readonly until: number;
}

/** What is compared where there is nothing to compare with. */
const NO_SECRET = '0'.repeat(43);
const NO_DIGEST = Buffer.alloc(32);

/** The keys of a file, to be asked whose a key is. */
export class KeyRing {
  private readonly known: ReadonlyMap<string, KnownKey>;

  constructor({ keys, plans }: KeyFile) {
    this.known = new Map(keys.map((entry) => [entry.id, knownKey(entry, plans)]));
  }

  /**
   * Whose key this is; undefined for a key that is unknown, wrong, revoked, expired or none at all. Which of these is not
   * told, by no difference in time either: every answer hashes one secret and compares one hash, in constant time.
   */
  holderOf(text: string, now: number): KeyHolder | undefined {
    const parts = readKey(text);
    const known = parts && this.known.get(parts.id);
    const isRight = timingSafeEqual(digestOf(parts?.secret ?? NO_SECRET), known?.digest ?? NO_DIGEST);
    return isRight && known !== undefined && now < known.until ? known.holder : undefined;
  }

  /** How many keys are taken now. */
  live(now: number): number {
    return this.liveOnes(now).length;
  }

  /** The accounts that have more live keys than they may. */
  crowded(now: number): readonly string[] {
    const live = Map.groupBy(this.liveOnes(now), ({ holder }) => holder.account);
    return [...live].filter(([, keys]) => keys.length > MAX_LIVE_KEYS).map(([account]) => account);
  }

  private liveOnes(now: number): KnownKey[] {
    return [...this.known.values()].filter(({ until }) => now < until);
  }
}

function knownKey(entry: KeyEntry, plans: KeyFile['plans']): KnownKey {
  const { id, account, scopes, plan: name, sha256 } = entry;
  const plan = planCalled(name, plans) ?? { name };
  return {
    holder: { id, account, scopes: new Set(scopes), plan },
    digest: Buffer.from(sha256, 'hex'),
    until: validUntil(entry),
  };
}
