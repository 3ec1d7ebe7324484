import { type ChainHead, chain, chainStart } from '../domain/ledger-chain.js';
import type { Query } from './snapshot.js';

/** Entries held in memory at a time. */
const PAGE_SIZE = 5_000;

interface EntryRow {
  readonly asset_id: string;
  readonly sequence: string;
  readonly offset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly at: Date;
  readonly hash: Buffer;
  /** The gap that ends directly before this entry. */
  readonly gap_first: string | null;
  readonly gap_last_hash: Buffer | null;
}

/**
 * Recomputes the hash of every ledger entry, and reports each entry that does not follow from the one before it, and each gap that
 * begins at the wrong sequence. Returns the number of entries. After a recorded gap, a chain continues from the gap's last hash.
 */
export async function verifyLedger(query: Query, onError: (error: string) => void): Promise<number> {
  let count = 0;
  let head: ChainHead | undefined;
  let last: EntryRow | undefined;
  for (;;) {
    const page = await query<EntryRow>(
      `SELECT entry.*, gap.first_sequence AS gap_first, gap.last_hash AS gap_last_hash FROM (
         SELECT asset_id, sequence, offset_id, grams, price_micros, at, hash FROM ledger
         WHERE (asset_id, sequence) > ($1, $2) ORDER BY asset_id, sequence LIMIT ${PAGE_SIZE}
       ) AS entry
       LEFT JOIN ledger_gaps AS gap ON gap.asset_id = entry.asset_id AND gap.last_sequence = entry.sequence - 1
       ORDER BY entry.asset_id, entry.sequence`,
      [last?.asset_id ?? '', last?.sequence ?? 0],
    );
    for (const row of page) {
      const before = head !== undefined && row.asset_id === last?.asset_id ? head : chainStart(row.asset_id);
      const error = gapErrorOf(row, before) ?? errorOf(row, headBefore(row, before));
      if (error !== undefined) onError(error);
      // Continues from the stored hash, so that one altered entry does not make every later entry an error.
      head = { sequence: BigInt(row.sequence), hash: row.hash };
      last = row;
    }
    count += page.length;
    if (page.length < PAGE_SIZE) return count;
  }
}

function gapErrorOf({ asset_id: asset, gap_first: first }: EntryRow, before: ChainHead): string | undefined {
  const expected = before.sequence + 1n;
  return first === null || BigInt(first) === expected
    ? undefined
    : `${asset}: a gap begins at ${first}, expected ${expected}`;
}

/** Returns what an entry must follow: the gap before it, or else the entry before it. */
function headBefore({ sequence, gap_last_hash: hash }: EntryRow, before: ChainHead): ChainHead {
  return hash === null ? before : { sequence: BigInt(sequence) - 1n, hash };
}

/** Returns what is wrong with an entry, or undefined if it follows from `before`. */
function errorOf(row: EntryRow, before: ChainHead): string | undefined {
  const { asset_id: asset, offset_id: offset, grams, price_micros, at, hash } = row;
  const retirement = { asset, offset, grams: BigInt(grams), priceMicros: BigInt(price_micros), at: at.toISOString() };
  const expected = chain(before, retirement);
  if (BigInt(row.sequence) !== expected.sequence)
    return `${asset}: found entry ${row.sequence}, expected entry ${expected.sequence}`;
  return expected.hash.equals(hash)
    ? undefined
    : `${asset}: entry ${row.sequence} does not follow from the one before it`;
}
