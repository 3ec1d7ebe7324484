import type { OffsetView } from '@carbon/contracts';
import type { OffsetEntity } from '../persistence/offset.entity.js';
import type { OwnRows } from '../persistence/own-rows.js';
import { offsetView, type RetiredLine } from './view.js';

/** Retirements on one page of offsets, unless its only offset has more. */
const MAX_PAGE_LINES = 3_000;

/** The views of some offsets, in their order; those that are completed with what was retired for them. */
export async function viewsOf(rows: OwnRows, account: string, offsets: readonly OffsetEntity[]): Promise<OffsetView[]> {
  const completed = offsets.filter(({ status }) => status === 'completed').map(({ id }) => id);
  const lines = completed.length === 0 ? [] : await linesOf(rows, account, completed);
  const byOffset = Map.groupBy(lines, ({ offset_id }) => offset_id);
  return offsets.map((offset) => offsetView(offset, byOffset.get(offset.id) ?? []));
}

/**
 * The first of these offsets, at least one, whose lines make an answer that callers can take: {@link MAX_PAGE_LINES} lines, which is some 4 MB where the names of all assets are as long as they may be.
 */
export async function shownTogether(
  rows: OwnRows,
  account: string,
  offsets: readonly OffsetEntity[],
): Promise<OffsetEntity[]> {
  const completed = offsets.filter(({ status }) => status === 'completed').map(({ id }) => id);
  const counts = completed.length < 2 ? new Map<string, number>() : await lineCounts(rows, account, completed);
  let lines = 0;
  const tooMuch = offsets.findIndex(({ id }) => {
    lines += counts.get(id) ?? 0;
    return lines > MAX_PAGE_LINES;
  });
  return offsets.slice(0, tooMuch === -1 ? undefined : Math.max(1, tooMuch));
}

async function lineCounts(rows: OwnRows, account: string, offsets: readonly string[]): Promise<Map<string, number>> {
  const counts = await rows.query<{ offset_id: string; lines: number }>(
    account,
    `SELECT offset_id, count(*)::integer AS lines FROM offsets JOIN ledger ON offset_id = offsets.id
     WHERE account = $1 AND offsets.id = ANY ($2) GROUP BY offset_id`,
    [offsets],
  );
  return new Map(counts.map(({ offset_id, lines }) => [offset_id, lines]));
}

function linesOf(rows: OwnRows, account: string, offsets: readonly string[]): Promise<RetiredLine[]> {
  return rows.query<RetiredLine>(
    account,
    `SELECT offset_id, asset_id, ledger.grams, ledger.price_micros, ticker, address
     FROM offsets JOIN ledger ON offset_id = offsets.id LEFT JOIN supply USING (asset_id)
     WHERE account = $1 AND offsets.id = ANY ($2) ORDER BY offset_id, ledger.price_micros, asset_id`,
    [offsets],
  );
}
