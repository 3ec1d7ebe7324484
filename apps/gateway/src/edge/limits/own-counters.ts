import { debtAtStart, type Limit, type Taken, take } from './bucket.js';

/** So many buckets that are full again are forgotten for each new one, so that the table shrinks when it is quiet. */
const FORGET = 2;
/** So many are looked at when the table is full. */
const LOOK = 16;

/** What a table of counters is made with. */
export interface OwnCountersSettings {
  /** The most buckets it holds. */
  readonly most: number;
  /** A clock in microseconds that anything may be subtracted from; the process's own, which is never set. */
  readonly now?: () => number;
}

/**
 * The process's own counters. Only buckets that are not full are kept, for a full one is like one that was never seen. What
 * is not known counts against the caller: in a process that has just begun every bucket begins with a quarter of its burst and
 * fills from there, and when the table is full all further callers have one bucket together.
 */
export class OwnCounters {
  /** When each bucket will be full again. One that is there stays in its place: taking it out and in costs a table each time. */
  private readonly fullAt = new Map<string, number>();
  /** Goes through the buckets again and again, a few steps for each new one. */
  private round = this.fullAt.entries();
  private readonly most: number;
  private readonly now: () => number;
  private readonly begun: number;
  private overflowFullAt: number;

  constructor({ most, now = microseconds }: OwnCountersSettings) {
    this.most = most;
    this.now = now;
    this.begun = now();
    this.overflowFullAt = Number.NEGATIVE_INFINITY;
  }

  /** How many buckets it holds. */
  get size(): number {
    return this.fullAt.size;
  }

  /** Takes one request from a bucket. */
  take(bucket: string, limit: Limit): Taken {
    const now = this.now();
    const taken = take(this.debtAt(now, bucket, limit), limit);
    if (taken.admitted) this.keep(bucket, now + taken.debt, now);
    return taken;
  }

  /** The debt of a bucket as far as this process knows. */
  debtOf(bucket: string, limit: Limit): number {
    return this.debtAt(this.now(), bucket, limit);
  }

  /** The clock's time, to be given to `learn` with what is answered later. */
  get time(): number {
    return this.now();
  }

  /** Notes a debt that others told, as it was at some time since `askedAt`: it may have been paid off a little since then. */
  learn(bucket: string, debt: number, askedAt: number): void {
    this.keep(bucket, askedAt + debt, this.now());
  }

  private debtAt(now: number, bucket: string, limit: Limit): number {
    const fullAt = this.fullAt.get(bucket);
    if (fullAt !== undefined) return Math.max(0, fullAt - now);
    if (this.fullAt.size >= this.most) return Math.max(0, this.overflowFullAt - now);
    return Math.max(0, this.begun + debtAtStart(limit) - now);
  }

  private keep(bucket: string, fullAt: number, now: number): void {
    if (this.fullAt.has(bucket) || this.hasRoom(now)) this.fullAt.set(bucket, fullAt);
    else this.overflowFullAt = fullAt;
  }

  private hasRoom(now: number): boolean {
    this.forgetFull(now, this.fullAt.size >= this.most ? LOOK : FORGET);
    return this.fullAt.size < this.most;
  }

  private forgetFull(now: number, looks: number): void {
    for (let looked = 0; looked < looks; looked += 1) {
      const { value, done } = this.round.next();
      if (done) this.round = this.fullAt.entries();
      else if (value[1] <= now) this.fullAt.delete(value[0]);
    }
  }
}

function microseconds(): number {
  return Math.floor(performance.now() * 1_000);
}
