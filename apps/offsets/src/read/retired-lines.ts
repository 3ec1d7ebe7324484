import type { OffsetView } from '@carbon/contracts';
import type { Database } from '../persistence/database.js';
import type { OffsetEntity } from '../persistence/offset.entity.js';
import { offsetView, type RetiredLine } from './view.js';

/** The views of some offsets, in their order; those that are completed with what was retired for them. */
export async function viewsOf(database: Database, offsets: readonly OffsetEntity[]): Promise<OffsetView[]> {
  const completed = offsets.filter(({ status }) => status === 'completed').map(({ id }) => id);
  const lines = completed.length === 0 ? [] : await linesOf(database, completed);
  const byOffset = Map.groupBy(lines, ({ offset_id }) => offset_id);
  return offsets.map((offset) => offsetView(offset, byOffset.get(offset.id) ?? []));
}

function linesOf(database: Database, offsets: readonly string[]): Promise<RetiredLine[]> {
  return database.query<RetiredLine>(
    `SELECT offset_id, asset_id, ledger.grams, ledger.price_micros, ticker, address
     FROM ledger LEFT JOIN supply USING (asset_id)
     WHERE offset_id = ANY ($1) ORDER BY offset_id, ledger.price_micros, asset_id`,
    [offsets],
  );
}
