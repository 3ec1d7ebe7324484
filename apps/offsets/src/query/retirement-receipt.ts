import { creditsFromGrams, type ReceiptEntryView, type RetirementReceiptView, usdFromMicros } from '@carbon/contracts';
import { chainStart } from '../domain/ledger-chain.js';

/** A ledger entry with the hash of the one before it, or nothing but absence, where the offset has no entry. */
export type ReceiptRow = EntryRow | { readonly asset_id: null };

interface EntryRow {
  readonly asset_id: string;
  readonly sequence: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly at: Date;
  readonly hash: Buffer;
  readonly registry_reference: string | null;
  readonly previous_hash: Buffer | null;
}

/** An offset's own ledger entries, as its owner sees them: enough to compute each hash again, and of others nothing. */
export function receiptView(offset: string, rows: readonly ReceiptRow[]): RetirementReceiptView {
  return { offset, entries: rows.filter((row) => row.asset_id !== null).map(entryView) };
}

function entryView(row: EntryRow): ReceiptEntryView {
  return {
    asset: row.asset_id,
    sequence: Number(row.sequence),
    credits: creditsFromGrams(BigInt(row.grams)),
    price: usdFromMicros(BigInt(row.price_micros)),
    at: row.at.toISOString(),
    previousHash: previousOf(row).toString('hex'),
    hash: row.hash.toString('hex'),
    ...(row.registry_reference !== null && { reference: row.registry_reference }),
  };
}

/** A receipt without the hash before its own proves nothing, so none is given of a chain that has lost a link. */
function previousOf({ asset_id, sequence, previous_hash }: EntryRow): Buffer {
  if (previous_hash !== null) return previous_hash;
  const start = chainStart(asset_id);
  if (BigInt(sequence) === start.sequence + 1n) return start.hash;
  throw new Error(`The ledger of ${asset_id} has an entry ${sequence}, but none before it.`);
}
