import {
  costMicros,
  creditsFromGrams,
  OFFSET_STATUSES,
  type OffsetView,
  type RetirementView,
  usdFromMicros,
} from '@carbon/contracts';
import { z } from 'zod';

/** Grams of one asset at a price, with the asset's names as last published. `bigint` is decimal text. */
export interface LineRow {
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly ticker: string | null;
  readonly address: string | null;
  readonly vintages: readonly number[] | null;
}

/** For SELECT: the columns of an {@link OffsetViewRow}, of `offsets` with {@link OFFSET_LINES}. */
export const VIEW_COLUMNS = `offsets.id, offsets.account, offsets.status, offsets.kg_co2e, offsets.grams, offsets.cost_micros,
  offsets.estimate_id, offsets.customer_ref, offsets.failure_code, offsets.failure_detail, offsets.created_at, offsets.updated_at,
  offsets.completed_at, offsets.failed_at, ledger.asset_id, ledger.grams AS line_grams, ledger.price_micros, ticker, address, vintages`;

/** For FROM, after `offsets`: its ledger entries, each with the names of its asset. */
export const OFFSET_LINES = `LEFT JOIN ledger ON ledger.offset_id = offsets.id
  LEFT JOIN supply ON supply.asset_id = ledger.asset_id`;

/** An offset with one of its ledger entries, or with none if it has none. `bigint` and `numeric` are decimal text. */
export const offsetViewRow = z.object({
  id: z.string(),
  account: z.string(),
  status: z.enum(OFFSET_STATUSES),
  kg_co2e: z.number(),
  grams: z.string(),
  cost_micros: z.string().nullable(),
  estimate_id: z.string().nullable(),
  customer_ref: z.string().nullable(),
  failure_code: z.string().nullable(),
  failure_detail: z.string().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  completed_at: z.date().nullable(),
  failed_at: z.date().nullable(),
  asset_id: z.string().nullable(),
  line_grams: z.string().nullable(),
  price_micros: z.string().nullable(),
  ticker: z.string().nullable(),
  address: z.string().nullable(),
  vintages: z.array(z.int()).nullable(),
});
/** A row of {@link VIEW_COLUMNS} as read. */
export type OffsetViewRow = z.output<typeof offsetViewRow>;
/** All rows of one offset. */
export type OffsetViewRows = readonly [OffsetViewRow, ...OffsetViewRow[]];

/** Returns the rows of each offset, in the order in which the offsets first occur. */
export function rowsByOffset(rows: readonly OffsetViewRow[]): readonly OffsetViewRows[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()] as unknown as readonly OffsetViewRows[];
}

/**
 * Returns an offset as clients see it: credits and dollars as decimal numbers, absent members left out, retirements by price
 * and asset.
 */
export function offsetView(rows: OffsetViewRows): OffsetView {
  const [offset] = rows;
  const lines = rows.flatMap(lineOf);
  const matched = lines.reduce((sum, { grams }) => sum + BigInt(grams), 0n);
  return {
    id: offset.id,
    status: offset.status,
    kgCO2e: offset.kg_co2e,
    credits: creditsFromGrams(BigInt(offset.grams)),
    creditsMatched: creditsFromGrams(matched),
    retirements: lines.map(lineView).sort(byPrice),
    ...(offset.cost_micros !== null && { cost: usdFromMicros(BigInt(offset.cost_micros)), currency: 'USD' as const }),
    ...(offset.estimate_id !== null && { estimateId: offset.estimate_id }),
    ...(offset.customer_ref !== null && { customerRef: offset.customer_ref }),
    ...(offset.failure_code !== null && {
      failure: { code: offset.failure_code, detail: offset.failure_detail ?? '' },
    }),
    createdAt: offset.created_at.toISOString(),
    updatedAt: offset.updated_at.toISOString(),
    ...(offset.completed_at !== null && { completedAt: offset.completed_at.toISOString() }),
    ...(offset.failed_at !== null && { failedAt: offset.failed_at.toISOString() }),
  };
}

function lineOf({ asset_id, line_grams: grams, price_micros, ticker, address, vintages }: OffsetViewRow): LineRow[] {
  if (asset_id === null || grams === null || price_micros === null) return [];
  return [{ asset_id, grams, price_micros, ticker, address, vintages }];
}

function byPrice(one: RetirementView, other: RetirementView): number {
  return one.price - other.price || (one.asset < other.asset ? -1 : 1);
}

/** Returns a line of an offset or of an estimate as clients see it. */
export function lineView({ asset_id, grams, price_micros, ticker, address, vintages }: LineRow): RetirementView {
  return {
    asset: asset_id,
    ...(ticker !== null && { ticker }),
    ...(address !== null && { address }),
    ...(vintages !== null && { vintages: [...vintages] }),
    credits: creditsFromGrams(BigInt(grams)),
    price: usdFromMicros(BigInt(price_micros)),
    cost: usdFromMicros(costMicros(BigInt(grams), BigInt(price_micros))),
  };
}
