import type { OffsetCompletedV1, OffsetFailedV1 } from '@carbon/contracts';
import { costMicros } from '@carbon/contracts';
import type { Failure } from './failure.js';
import type { LedgerEntry } from './ledger-chain.js';
import { MOST_LINES } from './shelf.js';

/** What an outcome's event repeats of its offset. Times are RFC 3339, UTC, ms. */
export interface DecidedOffset {
  readonly id: string;
  readonly account: string;
  readonly kgCO2e: number;
  readonly estimateId: string | null | undefined;
  readonly customerRef: string | null | undefined;
  readonly createdAt: string;
  readonly fingerprint: string;
}

/** A decided offset that is retired; `reference` is an external registry's name for the retirement. */
export interface RetiredOffset extends DecidedOffset {
  readonly grams: bigint;
  readonly costMicros: bigint;
  readonly reference?: string | undefined;
}

/** The data of `offset.failed.v1`. */
export function failedEvent(offset: DecidedOffset, { code, detail }: Failure, failedAt: string): OffsetFailedV1 {
  return { ...repeated(offset), code, detail, failedAt };
}

/** The data of `offset.completed.v1`: with the hash of each ledger entry, so the chains are witnessed elsewhere. */
export function completedEvent(
  offset: RetiredOffset,
  entries: readonly LedgerEntry[],
  completedAt: string,
): OffsetCompletedV1 {
  // An estimate of an older version may hold more lines, whose event has no room for a second hash per line.
  const hasRoom = entries.length <= MOST_LINES;
  const retirements = entries.map(({ asset, grams, priceMicros, sequence, hash, previousHash }) => ({
    asset,
    grams: String(grams),
    priceMicros: String(priceMicros),
    costMicros: String(costMicros(grams, priceMicros)),
    sequence: String(sequence),
    hash: hash.toString('hex'),
    ...(hasRoom && { previousHash: previousHash.toString('hex') }),
  }));
  const { grams, costMicros: total, reference } = offset;
  return {
    ...repeated(offset),
    grams: String(grams),
    costMicros: String(total),
    currency: 'USD',
    retirements,
    completedAt,
    ...(reference !== undefined && { registryReference: reference }),
  };
}

/** Absent is left out, never null. */
function repeated({ id, account, kgCO2e, estimateId, customerRef, createdAt, fingerprint }: DecidedOffset) {
  return {
    id,
    account,
    kgCO2e,
    ...(estimateId != null && { estimateId }),
    ...(customerRef != null && { customerRef }),
    createdAt,
    fingerprint,
  };
}
