import { hash } from 'node:crypto';

/** A retirement for the ledger: which offset retired how much of which asset, when (RFC 3339, UTC, ms) and at which price. */
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
export interface LedgerEntry extends Retirement, ChainHead {
  /** The hash of the head that it follows. */
  readonly previousHash: Buffer;
}

/** Returns the head of an asset's chain before its first entry: SHA-256 of the asset's id. */
export function chainStart(asset: string): ChainHead {
  return { sequence: 0n, hash: hash('sha256', asset, 'buffer') };
}

/**
 * Returns the entry that follows `head`. Its hash is SHA-256(previous hash, as its 32 bytes ‖ RFC 8785 JSON of {asset, sequence,
 * offset, grams, priceMicros, at}, whole numbers as decimal text), so no gram of the past can change without every later
 * hash changing. The literal below has the canonical order of members; a test compares it with a canonicalizer.
 */
export function chain(head: ChainHead, retirement: Retirement): LedgerEntry {
  const { asset, at, grams, offset, priceMicros } = retirement;
  const sequence = head.sequence + 1n;
  const text = JSON.stringify({
    asset,
    at,
    grams: String(grams),
    offset,
    priceMicros: String(priceMicros),
    sequence: String(sequence),
  });
  const bytes = Buffer.concat([head.hash, Buffer.from(text)]);
  return { ...retirement, sequence, previousHash: head.hash, hash: hash('sha256', bytes, 'buffer') };
}
