import { RequestError } from '@carbon/http';
import { LRUCache } from 'lru-cache';

/** What is remembered of a wish under its id. */
interface SettledWish {
  readonly fingerprint: string;
  /** Kafka has it; else nobody knows what became of it. */
  readonly confirmed: boolean;
  /** It is the one that stands under the id. One confirmed here may have come after another that was not known here. */
  readonly recorded: boolean;
}

/** A wish that is being published; who asks the same meanwhile shares what comes of it. */
interface WishUnderWay {
  readonly fingerprint: string;
  readonly outcome: Promise<void>;
}

/** How much is remembered. */
export interface RecentWishesBounds {
  /** Ids remembered at most; the least recently asked for go first. */
  readonly most: number;
  /** Milliseconds for which one is remembered. */
  readonly forMs: number;
}

/** Whether a wish was accepted by this request, or by one before it. */
export type Acceptance = 'now' | 'before';

/**
 * The wishes of the last minutes by their ids. One key stands for one wish: the same one again is not published again,
 * and another one is refused. An id alone keeps an offset single; this spares Kafka the copies, and tells callers.
 */
export class RecentWishes {
  /** Apart from what is settled, lest the bound there takes one away from those who wait for it; as many as requests. */
  private readonly underWay = new Map<string, WishUnderWay>();
  private readonly settled: LRUCache<string, SettledWish>;

  /** @param now the clock, in ms */
  constructor({ most, forMs }: RecentWishesBounds, now = () => performance.now()) {
    // The time is read whenever it is needed, and never remembered.
    this.settled = new LRUCache({ max: most, ttl: forMs, ttlResolution: 0, perf: { now } });
  }

  /**
   * Whether there is no need to ask anybody else what becomes of this wish under this id. Another wish is refused only
   * for one that is under way or known to stand: another process may have accepted the first.
   */
  knows(id: string, fingerprint: string): boolean {
    const settled = this.settled.get(id);
    return this.underWay.has(id) || settled?.recorded === true || settled?.fingerprint === fingerprint;
  }

  /** Keeps what the record says: that this wish stands under the id. */
  learn(id: string, fingerprint: string): void {
    this.settled.set(id, { fingerprint, confirmed: true, recorded: true });
  }

  /**
   * Accepts a wish, unless it was accepted before; while the same one is under way its outcome is waited for and shared,
   * the failure as well. After a failure it may be accepted again, and no other one under this id. One that is known to
   * stand goes before one that is under way: that is then the late one.
   * @throws RequestError `idempotency_key_reused`
   */
  async once(id: string, fingerprint: string, accept: () => Promise<void>): Promise<Acceptance> {
    const twin = this.underWay.get(id);
    const earlier = this.settled.get(id);
    const standing = earlier?.confirmed === true ? earlier : undefined;
    const known = standing ?? twin ?? earlier;
    if (known !== undefined && known.fingerprint !== fingerprint) throw reused(standing !== undefined);
    if (standing !== undefined) return 'before';
    if (twin !== undefined) {
      await twin.outcome;
      return 'before';
    }
    await this.begin(id, fingerprint, accept);
    return 'now';
  }

  /**
   * Accepts a wish under an id that was made for it. Nobody else knows the id, and nobody can ask for it before this has
   * settled: there is nothing to look for, and no twin.
   */
  async first(id: string, fingerprint: string, accept: () => Promise<void>): Promise<void> {
    let confirmed = false;
    try {
      await accept();
      confirmed = true;
    } finally {
      this.settled.set(id, { fingerprint, confirmed, recorded: false });
    }
  }

  private async begin(id: string, fingerprint: string, accept: () => Promise<void>): Promise<void> {
    const outcome = accept();
    this.underWay.set(id, { fingerprint, outcome });
    let confirmed = false;
    try {
      await outcome;
      confirmed = true;
    } finally {
      this.underWay.delete(id);
      this.settle(id, { fingerprint, confirmed, recorded: false });
    }
  }

  /** What was learnt meanwhile stays: the first wish stands, and this one will not be recorded. */
  private settle(id: string, wish: SettledWish): void {
    if (this.settled.get(id)?.recorded !== true) this.settled.set(id, wish);
  }
}

/** @param stands whether the first one is known to: after a 503 nobody may know, or it was never sent */
function reused(stands: boolean): RequestError {
  const first = stands ? 'the first request stands' : 'it is not known that the first request stands';
  const detail =
    `This Idempotency-Key was used with another body, and ${first}. ` +
    'Use a new key for a new offset, and the same body for a retry.';
  return new RequestError('idempotency_key_reused', detail);
}
