import { type ChainHead, chain, chainStart } from '../domain/ledger-chain.js';
import type { Ask } from './snapshot.js';

/** Entries held in memory at a time. */
const PAGE = 5_000;

interface EntryRow {
  readonly asset_id: string;
  readonly sequence: string;
  readonly offset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly at: Date;
  readonly hash: Buffer;
}

/** Recomputes every hash of every chain, entry by entry, and tells each that does not follow from the one before it. */
export async function verify(ask: Ask, onFault: (fault: string) => void): Promise<number> {
  let count = 0;
  let head: ChainHead | undefined;
  let last: EntryRow | undefined;
  for (;;) {
    const page = await ask<EntryRow>(
      `SELECT asset_id, sequence, offset_id, grams, price_micros, at, hash FROM ledger
       WHERE (asset_id, sequence) > ($1, $2) ORDER BY asset_id, sequence LIMIT ${PAGE}`,
      [last?.asset_id ?? '', last?.sequence ?? 0],
    );
    for (const row of page) {
      const before = head !== undefined && row.asset_id === last?.asset_id ? head : chainStart(row.asset_id);
      const fault = faultOf(row, before);
      if (fault !== undefined) onFault(fault);
      head = { sequence: BigInt(row.sequence), hash: row.hash };
      last = row;
    }
    count += page.length;
    if (page.length < PAGE) return count;
  }
}

/** After a fault the chain is taken up from what is written, so that one altered entry is one fault. */
function faultOf(row: EntryRow, before: ChainHead): string | undefined {
  const { asset_id: asset, offset_id: offset, grams, price_micros, at, hash } = row;
  const retirement = { asset, offset, grams: BigInt(grams), priceMicros: BigInt(price_micros), at: at.toISOString() };
  const due = chain(before, retirement);
  if (BigInt(row.sequence) !== due.sequence)
    return `${asset}: entry ${row.sequence} stands where ${due.sequence} should`;
  return due.hash.equals(hash) ? undefined : `${asset}: entry ${row.sequence} does not follow from the one before it`;
}
