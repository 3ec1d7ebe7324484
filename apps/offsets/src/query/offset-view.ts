import { costMicros, creditsFromGrams, type OffsetView, type RetirementView, usdFromMicros } from '@carbon/contracts';
import type { OffsetEntity } from '../persistence/offset.entity.js';
import type { OwnRows } from '../persistence/own-rows.js';

/** Grams of one asset at a price, with the asset's names as last published. */
export interface LineRow {
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly ticker: string | null;
  readonly address: string | null;
}

/** Returns the views of offsets, in their order; completed ones with their retirements. */
export async function readViews(
  rows: OwnRows,
  account: string,
  offsets: readonly OffsetEntity[],
): Promise<OffsetView[]> {
  const completed = completedIds(offsets);
  const lines =
    completed.length === 0
      ? []
      : await rows.query<LineRow & { readonly offset_id: string }>(
          account,
          `SELECT offset_id, asset_id, ledger.grams, ledger.price_micros, ticker, address
           FROM offsets JOIN ledger ON offset_id = offsets.id LEFT JOIN supply USING (asset_id)
           WHERE account = $1 AND offsets.id = ANY ($2) ORDER BY offset_id, ledger.price_micros, asset_id`,
          [completed],
        );
  const byOffset = Map.groupBy(lines, ({ offset_id }) => offset_id);
  return offsets.map((offset) => offsetView(offset, byOffset.get(offset.id) ?? []));
}

/** Returns the first of these offsets, at least one, that have at most `maxLines` ledger entries together. */
export async function firstWithinLines(
  rows: OwnRows,
  account: string,
  offsets: readonly OffsetEntity[],
  maxLines: number,
): Promise<readonly OffsetEntity[]> {
  const completed = completedIds(offsets);
  if (completed.length < 2) return offsets;
  const counts = await rows.query<{ offset_id: string; lines: number }>(
    account,
    `SELECT offset_id, count(*)::integer AS lines FROM offsets JOIN ledger ON offset_id = offsets.id
     WHERE account = $1 AND offsets.id = ANY ($2) GROUP BY offset_id`,
    [completed],
  );
  const linesOf = new Map(counts.map(({ offset_id, lines }) => [offset_id, lines]));
  let lines = 0;
  const excess = offsets.findIndex(({ id }) => {
    lines += linesOf.get(id) ?? 0;
    return lines > maxLines;
  });
  return offsets.slice(0, excess === -1 ? undefined : Math.max(1, excess));
}

function completedIds(offsets: readonly OffsetEntity[]): string[] {
  return offsets.filter(({ status }) => status === 'completed').map(({ id }) => id);
}

/** Returns an offset as clients see it: credits and dollars as decimal numbers, absent members left out. */
export function offsetView(offset: OffsetEntity, lines: readonly LineRow[]): OffsetView {
  const matched = lines.reduce((sum, { grams }) => sum + BigInt(grams), 0n);
  return {
    id: offset.id,
    status: offset.status,
    kgCO2e: offset.kgCO2e,
    credits: creditsFromGrams(BigInt(offset.grams)),
    creditsMatched: creditsFromGrams(matched),
    retirements: lines.map(lineView),
    ...(offset.costMicros !== null && { cost: usdFromMicros(BigInt(offset.costMicros)), currency: 'USD' as const }),
    ...(offset.estimateId !== null && { estimateId: offset.estimateId }),
    ...(offset.customerRef !== null && { customerRef: offset.customerRef }),
    ...(offset.failureCode !== null && {
      failure: { code: offset.failureCode, detail: offset.failureDetail ?? '' },
    }),
    createdAt: offset.createdAt.toISOString(),
    updatedAt: offset.updatedAt.toISOString(),
    ...(offset.completedAt && { completedAt: offset.completedAt.toISOString() }),
    ...(offset.failedAt && { failedAt: offset.failedAt.toISOString() }),
  };
}

/** Returns a line of an offset or of an estimate as clients see it. */
export function lineView({ asset_id, grams, price_micros, ticker, address }: LineRow): RetirementView {
  return {
    asset: asset_id,
    ...(ticker !== null && { ticker }),
    ...(address !== null && { address }),
    credits: creditsFromGrams(BigInt(grams)),
    price: usdFromMicros(BigInt(price_micros)),
    cost: usdFromMicros(costMicros(BigInt(grams), BigInt(price_micros))),
  };
}
