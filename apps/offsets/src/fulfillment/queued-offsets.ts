import { Injectable } from '@nestjs/common';
import { type Allocated, allocateCredits, type TermsByOffset } from '../domain/allocation.js';
import { type Failure, INSUFFICIENT_SUPPLY, TOO_SCATTERED } from '../domain/failure.js';
import type { OffsetRow } from '../domain/offset-row.js';
import { Preference } from '../domain/preference.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { OFFSET_COLUMNS, type StoredOffset, toOffsetRow } from '../persistence/offset-rows.js';
import { estimatesToRead, lockTerms } from './estimate-terms.js';
import { failOffsets } from './outcomes.js';
import { hasOtherSupply, hasPreferredSupply, lockSupply, widening } from './supply-rows.js';
import { WakeSignals } from './wake-signal.js';

/** The most offsets decided in one transaction: the more, the less its statements cost each of them. */
export const MAX_BATCH_SIZE = 1_000;

/** Writes, in the transaction that decided it, what becomes of offsets that get their credits. */
export type Serve = (query: Query, allocated: readonly Allocated<OffsetRow>[]) => Promise<readonly StatusChange[]>;

interface DecidedBatch {
  readonly count: number;
  readonly hasFailed: boolean;
  readonly moves: readonly StatusChange[];
}

/** Decides queued offsets, oldest first: each gets its credits or its failure. Both ways of fulfillment begin here. */
@Injectable()
export class QueuedOffsets {
  private readonly size = new BatchSize(MAX_BATCH_SIZE);

  constructor(
    private readonly database: Database,
    private readonly preference: Preference,
    private readonly signals: WakeSignals,
    private readonly metrics?: OffsetMetrics,
  ) {}

  /** Locks, decides and writes one batch in one transaction. Returns whether anything was decided. */
  async decide(serve: Serve): Promise<boolean> {
    const batch = await this.size.fitting((limit) =>
      widening((width) => this.database.transaction((query) => this.decideBatch(query, serve, width, limit))),
    );
    if (batch === undefined) return false;
    this.metrics?.decided(batch.count);
    this.metrics?.moved(batch.moves);
    if (batch.hasFailed) this.signals.decided.notify();
    return true;
  }

  /**
   * What is left undecided stays queued for the next batch. `too narrow`: nothing was written, because an offset fell short
   * among the `width` preferred assets, and there are more.
   */
  private async decideBatch(
    query: Query,
    serve: Serve,
    width: number,
    limit: number,
  ): Promise<DecidedBatch | 'too narrow' | undefined> {
    const { preference } = this;
    const offsets = await lockBatch(query, limit);
    if (offsets.length === 0) return undefined;
    const terms = await lockTerms(query, offsets);
    const supplies = await lockSupply(query, { preference, width, promised: promisedBy(terms) });
    const allocations = allocateCredits(offsets, supplies, preference, terms);
    const allocated = allocations.filter((one) => 'lines' in one);
    const failed = allocations.filter((one) => 'failure' in one);
    const open = supplies.filter(({ onlyOnTerms }) => !onlyOnTerms);
    const reasons = new Set(failed.map(({ failure }) => failure));
    // Assets that were published meanwhile may serve what fell short: it stays queued, and the others do not wait for it.
    const undecided = new Set<Failure>();
    if (reasons.has(INSUFFICIENT_SUPPLY) && (await hasOtherSupply(query, open))) {
      if (open.length >= width) return 'too narrow';
      undecided.add(INSUFFICIENT_SUPPLY);
    }
    if (reasons.has(TOO_SCATTERED) && (await hasPreferredSupply(query, preference, open))) undecided.add(TOO_SCATTERED);
    const final = failed.flatMap(({ offset, failure }) => (undecided.has(failure) ? [] : { ...offset, failure }));
    const count = allocated.length + final.length;
    if (count === 0) return undefined;
    const moves = [...(await serve(query, allocated)), ...(await failOffsets(query, 'queued', final))];
    return { count, hasFailed: final.length > 0, moves };
  }
}

/**
 * Locks the oldest queued offsets that no other worker has locked. Those whose estimates have too many lines for one batch stay
 * queued; offsets without an estimate take their places.
 */
async function lockBatch(query: Query, limit: number): Promise<readonly OffsetRow[]> {
  const queued = await lockOldest(query, limit);
  const estimates = await estimatesToRead(query, queued);
  const kept = queued.filter(({ estimateId }) => estimateId === null || estimates.has(estimateId));
  if (kept.length === queued.length || queued.length < limit) return kept;
  return [...kept, ...(await lockOldest(query, limit - kept.length, queued))];
}

/** @param locked where given, returns only offsets without an estimate, and none of these */
async function lockOldest(query: Query, limit: number, locked?: readonly OffsetRow[]): Promise<OffsetRow[]> {
  const rows = await query<StoredOffset>(
    `SELECT ${OFFSET_COLUMNS} FROM offsets
     WHERE status = 'queued' ${locked ? 'AND estimate_id IS NULL AND id <> ALL ($2)' : ''}
     ORDER BY created_at, id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    locked ? [limit, locked.map(({ id }) => id)] : [limit],
  );
  return rows.map(toOffsetRow);
}

/** The assets that estimates hold for a batch. */
function promisedBy(terms: TermsByOffset<OffsetRow>): string[] {
  return [...terms.values()].flatMap((one) => ('lines' in one ? one.lines.map(({ asset }) => asset) : []));
}
