import { RequestError } from '@carbon/http';
import { LRUCache } from 'lru-cache';

/** The outcome of an earlier request under an id. */
interface CachedOutcome {
  readonly fingerprint: string;
  /** Whether Kafka has confirmed the request; otherwise its outcome is unknown. */
  readonly isConfirmed: boolean;
  /**
   * Whether the database has this request under the id. A confirmed request may have come after one that this process
   * did not know.
   */
  readonly isRecorded: boolean;
}

/** A request that is being published. Replays that arrive meanwhile share its outcome. */
interface PendingRequest {
  readonly fingerprint: string;
  readonly outcome: Promise<void>;
}

/** The bounds of an {@link IdempotencyCache}. */
interface IdempotencyCacheOptions {
  /** The maximum number of cached ids; the least recently used is evicted first. */
  readonly maxEntries: number;
  readonly ttlMs: number;
}

/**
 * Caches the outcome of recent idempotent requests by the id that their key gives. The same request is not published again,
 * another one under the key is a conflict. The id already guarantees uniqueness: the cache avoids publishing duplicates and
 * lets the gateway report a replay.
 */
export class IdempotencyCache {
  /** Separate from the outcomes, so that the cache's bound cannot evict a request that others wait for. */
  private readonly pending = new Map<string, PendingRequest>();
  private readonly outcomes: LRUCache<string, CachedOutcome>;

  /** @param now the clock, in ms */
  constructor({ maxEntries, ttlMs }: IdempotencyCacheOptions, now = () => performance.now()) {
    // ttlResolution 0: the clock is read at each use.
    this.outcomes = new LRUCache({ max: maxEntries, ttl: ttlMs, ttlResolution: 0, perf: { now } });
  }

  /**
   * Returns whether the cache alone can decide about a request. Another request under the id conflicts only with one that is pending
   * or recorded: a merely confirmed one may itself have come second, behind one that another process accepted.
   */
  isDecisive(id: string, fingerprint: string): boolean {
    const cached = this.outcomes.get(id);
    return this.pending.has(id) || cached?.isRecorded === true || cached?.fingerprint === fingerprint;
  }

  /** Stores that the database has this request under the id. */
  storeRecorded(id: string, fingerprint: string): void {
    this.outcomes.set(id, { fingerprint, isConfirmed: true, isRecorded: true });
  }

  /**
   * Publishes a request unless it was accepted before. A replay of a pending request shares its outcome, a failure as well;
   * after a failure the same request may be published again. A confirmed request wins over a pending one, which came late.
   * A `publish` that throws before it returns a promise has sent nothing, and leaves nothing in the cache.
   * @returns whether the request is a replay
   * @throws RequestError `idempotency_key_reused` for another request under the id
   */
  async once(id: string, fingerprint: string, publish: () => Promise<void>): Promise<boolean> {
    const pending = this.pending.get(id);
    const cached = this.outcomes.get(id);
    const confirmed = cached?.isConfirmed === true ? cached : undefined;
    const known = confirmed ?? pending ?? cached;
    if (known !== undefined && known.fingerprint !== fingerprint) throw keyReused(confirmed !== undefined);
    if (confirmed !== undefined) return true;
    if (pending !== undefined) {
      await pending.outcome;
      return true;
    }
    await this.publish(id, fingerprint, publish);
    return false;
  }

  /** Publishes a request under an id that was just generated. No other request can know the id before this one has settled. */
  async first(id: string, fingerprint: string, publish: () => Promise<void>): Promise<void> {
    const outcome = publish();
    let isConfirmed = false;
    try {
      await outcome;
      isConfirmed = true;
    } finally {
      this.outcomes.set(id, { fingerprint, isConfirmed, isRecorded: false });
    }
  }

  private async publish(id: string, fingerprint: string, publish: () => Promise<void>): Promise<void> {
    const outcome = publish();
    this.pending.set(id, { fingerprint, outcome });
    let isConfirmed = false;
    try {
      await outcome;
      isConfirmed = true;
    } finally {
      this.pending.delete(id);
      this.store(id, { fingerprint, isConfirmed, isRecorded: false });
    }
  }

  /** A request recorded meanwhile stays: it came first, and this one will not be recorded. */
  private store(id: string, outcome: CachedOutcome): void {
    if (this.outcomes.get(id)?.isRecorded !== true) this.outcomes.set(id, outcome);
  }
}

/** The 422 for another body under a key. @param isFirstAccepted unknown after a 503, and while the first request is pending */
export function keyReused(isFirstAccepted: boolean): RequestError {
  const first = isFirstAccepted ? 'the first request was accepted' : 'it is not known whether the first was accepted';
  const detail =
    `This Idempotency-Key was used with another body, and ${first}. ` +
    'Use a new key for a new offset, and the same body for a retry.';
  return new RequestError('idempotency_key_reused', detail);
}
