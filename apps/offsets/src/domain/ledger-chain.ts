import { createHash } from 'node:crypto';
import { canonicalJson } from '@carbon/contracts';

/** A retirement to be written down: who retired how much of what, when (RFC 3339, UTC, ms) and at which price. */
export interface Retirement {
  readonly asset: string;
  readonly offset: string;
  readonly grams: bigint;
  readonly priceMicros: bigint;
  readonly at: string;
}

/** The end of an asset's chain: the last sequence (0 before the first) and the 32 bytes of its hash. */
export interface ChainHead {
  readonly sequence: bigint;
  readonly hash: Buffer;
}

/** One entry of the retirement ledger. */
export interface LedgerEntry extends Retirement, ChainHead {}

/** The head of an asset's chain before its first entry: SHA-256 of the asset's id. */
export function chainStart(asset: string): ChainHead {
  return { sequence: 0n, hash: createHash('sha256').update(asset).digest() };
}

/**
 * The entry that follows `head`. Its hash is SHA-256(previous hash, as its 32 bytes ‖ RFC 8785 JSON of {asset, sequence,
 * offset, grams, priceMicros, at}, whole numbers as decimal text), so no gram of the past can change without every later
 * hash changing.
 */
export function chain(head: ChainHead, retirement: Retirement): LedgerEntry {
  const { asset, offset, grams, priceMicros, at } = retirement;
  const sequence = head.sequence + 1n;
  const text = canonicalJson({
    asset,
    sequence: String(sequence),
    offset,
    grams: String(grams),
    priceMicros: String(priceMicros),
    at,
  });
  return { ...retirement, sequence, hash: createHash('sha256').update(head.hash).update(text).digest() };
}
