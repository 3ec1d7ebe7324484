import type { RetirementReceiptView } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { OwnRows } from '../persistence/own-rows.js';
import { awaitRecorded } from './await-recorded.js';
import { currentUnless } from './current-unless.js';
import { type ReceiptRow, receiptView } from './retirement-receipt.js';

/** Finds what the ledger holds of one offset of an account. */
@Injectable()
export class FindReceipt {
  constructor(private readonly rows: OwnRows) {}

  /** No entries until the offset is completed. Waits for a new one that is not recorded yet, at most 1 s; then `not_found`. */
  async run(account: string, offset: string): Promise<RetirementReceiptView> {
    return currentUnless(hasEntries, this.rows, () =>
      awaitRecorded(offset, async () => {
        const rows = await this.rows.query<ReceiptRow>(
          account,
          `SELECT entry.asset_id, entry.sequence, entry.grams, entry.price_micros, entry.at, entry.hash,
           entry.registry_reference, coalesce(before.hash, gap.last_hash) AS previous_hash
         FROM offsets
         LEFT JOIN ledger AS entry ON entry.offset_id = offsets.id
         LEFT JOIN ledger AS before ON before.asset_id = entry.asset_id AND before.sequence = entry.sequence - 1
         LEFT JOIN ledger_gaps AS gap ON gap.asset_id = entry.asset_id AND gap.last_sequence = entry.sequence - 1
         WHERE offsets.account = $1 AND offsets.id = $2 ORDER BY entry.price_micros, entry.asset_id`,
          [offset],
        );
        return rows.length === 0 ? undefined : receiptView(offset, rows);
      }),
    );
  }
}

function hasEntries({ entries }: RetirementReceiptView): boolean {
  return entries.length > 0;
}
