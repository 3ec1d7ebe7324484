import type { OffsetCompletedV1, OffsetFailedV1 } from '@carbon/contracts';
import { costMicros } from '@carbon/contracts';
import type { Failure } from './failure.js';
import type { LedgerEntry } from './ledger-chain.js';

/** What an outcome's event repeats of its offset. Times are RFC 3339, UTC, ms. */
export interface DecidedOffset {
  readonly id: string;
  readonly account: string;
  readonly kgCO2e: number;
  readonly estimateId: string | null | undefined;
  readonly customerRef: string | null | undefined;
  readonly createdAt: string;
}

/** The data of `offset.failed.v1`. */
export function failedEvent(offset: DecidedOffset, { code, detail }: Failure, failedAt: string): OffsetFailedV1 {
  return { ...repeated(offset), code, detail, failedAt };
}

/** The data of `offset.completed.v1`: with the hash of each ledger entry, so the chains are witnessed elsewhere. */
export function completedEvent(
  offset: DecidedOffset & { readonly grams: bigint; readonly costMicros: bigint },
  entries: readonly LedgerEntry[],
  completedAt: string,
): OffsetCompletedV1 {
  const retirements = entries.map(({ asset, grams, priceMicros, sequence, hash }) => ({
    asset,
    grams: String(grams),
    priceMicros: String(priceMicros),
    costMicros: String(costMicros(grams, priceMicros)),
    sequence: String(sequence),
    hash: hash.toString('hex'),
  }));
  const { grams, costMicros: total } = offset;
  return {
    ...repeated(offset),
    grams: String(grams),
    costMicros: String(total),
    currency: 'USD',
    retirements,
    completedAt,
  };
}

/** Absent is left out, never null. */
function repeated({ id, account, kgCO2e, estimateId, customerRef, createdAt }: DecidedOffset) {
  return {
    id,
    account,
    kgCO2e,
    ...(estimateId != null && { estimateId }),
    ...(customerRef != null && { customerRef }),
    createdAt,
  };
}
