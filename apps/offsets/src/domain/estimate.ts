import { ESTIMATE_EXPIRED, ESTIMATE_MISMATCH, ESTIMATE_NOT_FOUND, ESTIMATE_USED, type Failure } from './failure.js';
import type { PricedLine } from './line.js';

/** A price held for one offset of one account. It reserves no supply. */
export interface Estimate {
  readonly id: string;
  readonly account: string;
  readonly grams: bigint;
  readonly expiresAt: Date;
  readonly lines: readonly PricedLine[];
}

/** What an estimate holds: these assets and no others, at these prices and no others. */
export interface Terms {
  readonly estimate: string;
  readonly lines: readonly PricedLine[];
}

/** An offset that names an estimate. */
export interface EstimateUser {
  readonly account: string;
  readonly grams: bigint;
  /** When it was accepted: not later than it was recorded. */
  readonly createdAt: Date;
  /** Whether an offset in `processing` or `completed` names the same estimate. */
  readonly isUsed: boolean;
}

/** The gateway dates estimates, Kafka and the database date offsets: their clocks may differ by so much. */
const GRACE_MS = 5_000;

/** What the estimate that an offset names holds for it, or why it does not. */
export function termsOf(user: EstimateUser, estimate: Estimate | undefined): Terms | Failure {
  if (estimate === undefined || estimate.account !== user.account) return ESTIMATE_NOT_FOUND;
  if (user.createdAt.getTime() > estimate.expiresAt.getTime() + GRACE_MS) return ESTIMATE_EXPIRED;
  if (user.grams !== estimate.grams) return ESTIMATE_MISMATCH;
  if (user.isUsed) return ESTIMATE_USED;
  return { estimate: estimate.id, lines: estimate.lines };
}
