import { Injectable } from '@nestjs/common';
import { type Allocated, allocateCredits, type TermsByOffset } from '../domain/allocation.js';
import { type Failure, isShortage, TOO_MANY_ASSETS } from '../domain/failure.js';
import type { OffsetRow } from '../domain/offset-row.js';
import { Preference } from '../domain/preference.js';
import { OffsetMetrics, type StatusChange } from '../metrics/offset-metrics.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { OFFSET_COLUMNS, type StoredOffset, toOffsetRow } from '../persistence/offset-rows.js';
import { estimatesToRead, lockEstimateTerms } from './estimate-terms.js';
import { hasOtherSupply, hasPreferredSupply, lockSupply, withMoreAssets } from './supply-rows.js';
import { WakeSignals } from './wake-signal.js';
import { failOffsets } from './write-outcomes.js';

/** The maximum number of offsets decided in one transaction; a larger batch costs less per offset. */
export const MAX_BATCH_SIZE = 1_000;

/** Writes the outcome of allocated offsets in the transaction that allocated their credits. */
export type WriteAllocated = (
  query: Query,
  allocated: readonly Allocated<OffsetRow>[],
) => Promise<readonly StatusChange[]>;

interface DecidedBatch {
  readonly count: number;
  readonly hasFailed: boolean;
  readonly statusChanges: readonly StatusChange[];
}

/** Decides queued offsets, oldest first: each gets its credits or its failure. Both paths of fulfillment start here. */
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
  async decide(write: WriteAllocated): Promise<boolean> {
    const batch = await this.size.withCurrentSize((limit) =>
      withMoreAssets((maxAssets) =>
        this.database.transaction((query) => this.decideBatch(query, write, maxAssets, limit)),
      ),
    );
    if (batch === undefined) return false;
    this.metrics?.observeBatch(batch.count);
    this.metrics?.countStatusChanges(batch.statusChanges);
    if (batch.hasFailed) this.signals.decided.notify();
    return true;
  }

  /**
   * Decides one batch. Undecided offsets stay queued. Returns `too few assets`, having written nothing, if the `maxAssets` preferred assets
   * have too few credits for an offset and there are more assets.
   */
  private async decideBatch(
    query: Query,
    write: WriteAllocated,
    maxAssets: number,
    limit: number,
  ): Promise<DecidedBatch | 'too few assets' | undefined> {
    const { preference } = this;
    const offsets = await lockBatch(query, limit);
    if (offsets.length === 0) return undefined;
    const terms = await lockEstimateTerms(query, offsets);
    const supplies = await lockSupply(query, { preference, maxAssets, estimateAssets: assetsInEstimates(terms) });
    const allocations = allocateCredits(offsets, supplies, preference, terms);
    const allocated = allocations.filter((one) => 'lines' in one);
    const failed = allocations.filter((one) => 'failure' in one);
    const open = supplies.filter(({ onlyForEstimates }) => !onlyForEstimates);
    const reasons = new Set(failed.map(({ failure }) => failure));
    // Assets that were published meanwhile may have the missing credits: the offset stays queued, and the others do not wait.
    const undecided = new Set<Failure>();
    const shortages = [...reasons].filter(isShortage);
    if (shortages.length > 0 && (await hasOtherSupply(query, open))) {
      if (open.length >= maxAssets) return 'too few assets';
      for (const shortage of shortages) undecided.add(shortage);
    }
    if (reasons.has(TOO_MANY_ASSETS) && (await hasPreferredSupply(query, preference, open)))
      undecided.add(TOO_MANY_ASSETS);
    const final = failed.flatMap(({ offset, failure }) => (undecided.has(failure) ? [] : { ...offset, failure }));
    const count = allocated.length + final.length;
    if (count === 0) return undefined;
    const statusChanges = [...(await write(query, allocated)), ...(await failOffsets(query, 'queued', final))];
    return { count, hasFailed: final.length > 0, statusChanges };
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

/** Returns the assets that the estimates of a batch name. */
function assetsInEstimates(terms: TermsByOffset<OffsetRow>): string[] {
  return [...terms.values()].flatMap((one) => ('lines' in one ? one.lines.map(({ asset }) => asset) : []));
}
