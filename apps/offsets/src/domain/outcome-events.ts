import { costMicros, type OffsetCompletedV1, type OffsetFailedV1 } from '@carbon/contracts';
import type { Failure } from './failure.js';
import { MAX_LINES } from './inventory.js';
import type { LedgerEntry } from './ledger-chain.js';
import type { OffsetRow } from './offset-row.js';

/** The data of `offset.failed.v1`. */
export function failedEvent(offset: OffsetRow, { code, detail }: Failure, failedAt: Date): OffsetFailedV1 {
  return { ...requestOf(offset), code, detail, failedAt: failedAt.toISOString() };
}

/**
 * The data of `offset.completed.v1`, with the hash of each ledger entry, so that consumers can verify the chains.
 * @param reference an external registry's name for the retirement
 */
export function completedEvent(
  offset: OffsetRow,
  entries: readonly LedgerEntry[],
  completedAt: Date,
  reference?: string,
): OffsetCompletedV1 {
  // An estimate of an older version may have more lines, and its event is too large for a second hash per line.
  const includesPreviousHash = entries.length <= MAX_LINES;
  const retirements = entries.map(({ asset, grams, priceMicros, sequence, hash, previousHash }) => ({
    asset,
    grams: String(grams),
    priceMicros: String(priceMicros),
    costMicros: String(costMicros(grams, priceMicros)),
    sequence: String(sequence),
    hash: hash.toString('hex'),
    ...(includesPreviousHash && { previousHash: previousHash.toString('hex') }),
  }));
  return {
    ...requestOf(offset),
    grams: String(offset.grams),
    costMicros: String(offset.costMicros),
    currency: 'USD',
    retirements,
    completedAt: completedAt.toISOString(),
    ...(reference !== undefined && { registryReference: reference }),
  };
}

/** Returns the members of the request that both events repeat. Absent members are omitted, never null. */
function requestOf({ id, account, kgCO2e, estimateId, customerRef, createdAt, fingerprint }: OffsetRow) {
  return {
    id,
    account,
    kgCO2e,
    ...(estimateId !== null && { estimateId }),
    ...(customerRef !== null && { customerRef }),
    createdAt: createdAt.toISOString(),
    fingerprint,
  };
}
