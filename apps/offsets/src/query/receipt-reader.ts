import {
  creditsFromGrams,
  type OffsetStatus,
  type ReceiptEntryView,
  type RetirementReceiptView,
  usdFromMicros,
} from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { chainStart } from '../domain/ledger-chain.js';
import { WakeSignals } from '../fulfillment/wake-signal.js';
import { OFFSET_BY_ID, OwnRows } from '../persistence/own-rows.js';
import { awaitRecorded, isFinalStatus, requireCurrent } from './await-recorded.js';

/** The status of an offset, and a ledger entry of it with the hash before it. */
interface EntryRow {
  readonly status: OffsetStatus;
  readonly asset_id: string;
  /** As last published. */
  readonly vintages: readonly number[] | null;
  readonly sequence: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly at: Date;
  readonly hash: Buffer;
  readonly registry_reference: string | null;
  readonly previous_hash: Buffer | null;
}
/** An offset without an entry. */
type NoEntryRow = Pick<EntryRow, 'status'> & { readonly asset_id: null };

/** The statement of {@link ReceiptReader.find}. */
export const RECEIPT_SQL =
  `SELECT offsets.status, entry.asset_id, supply.vintages, entry.sequence, entry.grams, entry.price_micros, entry.at, entry.hash,
    entry.registry_reference, coalesce(before.hash, gap.last_hash) AS previous_hash
  FROM ${OFFSET_BY_ID}
  LEFT JOIN ledger AS entry ON entry.offset_id = offsets.id
  LEFT JOIN supply ON supply.asset_id = entry.asset_id
  LEFT JOIN ledger AS before ON before.asset_id = entry.asset_id AND before.sequence = entry.sequence - 1
  LEFT JOIN ledger_gaps AS gap ON gap.asset_id = entry.asset_id AND gap.last_sequence = entry.sequence - 1
  WHERE offsets.account = $1 ORDER BY entry.price_micros, entry.asset_id` as const;

/** Reads the ledger entries of one offset of an account: enough to compute each hash again, and nothing of other offsets. */
@Injectable()
export class ReceiptReader {
  constructor(
    private readonly rows: OwnRows,
    private readonly signals: WakeSignals,
  ) {}

  /**
   * Returns the receipt, without entries until the offset is completed; waits up to 1 s for a new offset. @throws
   * RequestError `not_found`; FenceLost
   */
  async find(account: string, offset: string): Promise<RetirementReceiptView> {
    const receipt = await awaitRecorded(this.signals.recorded, offset, () => this.recorded(account, offset));
    return requireCurrent(this.rows, receipt, ({ status }) => isFinalStatus(status));
  }

  /** Returns undefined if the offset is not recorded. */
  private async recorded(account: string, offset: string): Promise<RetirementReceiptView | undefined> {
    const rows = await this.rows.query<EntryRow | NoEntryRow>(account, RECEIPT_SQL, [offset]);
    const [first] = rows;
    if (first === undefined) return undefined;
    const entries = rows.filter((row) => row.asset_id !== null);
    return { offset, status: first.status, entries: entries.map(entryView) };
  }
}

function entryView(row: EntryRow): ReceiptEntryView {
  return {
    asset: row.asset_id,
    ...(row.vintages !== null && { vintages: [...row.vintages] }),
    sequence: Number(row.sequence),
    credits: creditsFromGrams(BigInt(row.grams)),
    price: usdFromMicros(BigInt(row.price_micros)),
    at: row.at.toISOString(),
    previousHash: previousHashOf(row).toString('hex'),
    hash: row.hash.toString('hex'),
    ...(row.registry_reference !== null && { reference: row.registry_reference }),
  };
}

/** A receipt without the hash before its own proves nothing, so a chain that has lost an entry gives none. */
function previousHashOf({ asset_id, sequence, previous_hash }: EntryRow): Buffer {
  if (previous_hash !== null) return previous_hash;
  const start = chainStart(asset_id);
  if (BigInt(sequence) === start.sequence + 1n) return start.hash;
  throw new Error(`The ledger of ${asset_id} has an entry ${sequence}, but none before it.`);
}
