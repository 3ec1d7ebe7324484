import { ESTIMATE_EXPIRED, ESTIMATE_MISMATCH, ESTIMATE_NOT_FOUND, ESTIMATE_USED, type Failure } from './failure.js';
import { BATCH_LINES, type PricedLine } from './line.js';
import type { OffsetRow } from './offset-row.js';

/** A price held for one offset of one account. It reserves no supply. */
export interface Estimate {
  readonly id: string;
  readonly account: string;
  readonly grams: bigint;
  readonly expiresAt: Date;
  readonly lines: readonly PricedLine[];
}

/** The lines that an estimate grants its offset: exactly these assets at exactly these prices. */
export interface EstimateTerms {
  readonly estimate: string;
  readonly lines: readonly PricedLine[];
}

/** The gateway dates estimates, Kafka and the database date offsets: this is how much their clocks may differ. */
const GRACE_MS = 5_000;
/** Half of what a batch allocates: even with one large estimate beyond it, offsets without an estimate have room. */
const ESTIMATE_LINES = BATCH_LINES / 2;

/**
 * Returns the lines that an offset gets from the estimate it names, or the failure if the estimate is not valid for it.
 * @param isUsed whether an offset in `processing` or `completed` names the same estimate
 */
export function checkEstimate(
  offset: Pick<OffsetRow, 'account' | 'grams' | 'createdAt'>,
  estimate: Estimate | undefined,
  isUsed: boolean,
): EstimateTerms | Failure {
  if (estimate === undefined || estimate.account !== offset.account) return ESTIMATE_NOT_FOUND;
  if (offset.createdAt.getTime() > estimate.expiresAt.getTime() + GRACE_MS) return ESTIMATE_EXPIRED;
  if (offset.grams !== estimate.grams) return ESTIMATE_MISMATCH;
  if (isUsed) return ESTIMATE_USED;
  return { estimate: estimate.id, lines: estimate.lines };
}

/**
 * Chooses the estimates that one batch reads, in the order in which its offsets name them: as many as have `maxLines` lines
 * together, and always the first. Those behind the first one that does not fit wait as well, however small, because otherwise a
 * large one might wait for ever.
 * @param lineCounts lines by estimate; unknown estimates are missing and count none
 */
export function chooseEstimates(
  named: readonly string[],
  lineCounts: ReadonlyMap<string, number>,
  maxLines: number = ESTIMATE_LINES,
): Set<string> {
  const chosen = new Set<string>();
  let lines = 0;
  for (const estimate of new Set(named)) {
    lines += lineCounts.get(estimate) ?? 0;
    if (lines > maxLines && chosen.size > 0) break;
    chosen.add(estimate);
  }
  return chosen;
}
