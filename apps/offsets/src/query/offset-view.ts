import {
  costMicros,
  creditsFromGrams,
  OFFSET_STATUSES,
  type OffsetView,
  type RetirementView,
  usdFromMicros,
} from '@carbon/contracts';
import { z } from 'zod';

const line = z.object({
  asset_id: z.string(),
  grams: z.string(),
  price_micros: z.string(),
  ticker: z.string().nullable(),
  address: z.string().nullable(),
  vintages: z.array(z.int()).nullable(),
});
/** Grams of one asset at a price, with the asset's names as last published. */
export type LineRow = z.output<typeof line>;

/** For SELECT from `offsets`: the columns of an {@link OffsetRecord}, for a row that becomes JSON. */
export const OFFSET_RECORD = `offsets.id, offsets.account, offsets.status, offsets.kg_co2e, offsets.grams::text,
  offsets.cost_micros::text, offsets.estimate_id, offsets.customer_ref, offsets.failure_code, offsets.failure_detail,
  offsets.created_at, offsets.updated_at, offsets.completed_at, offsets.failed_at,
  (SELECT json_agg(line) FROM (
     SELECT asset_id, ledger.grams::text, ledger.price_micros::text, ticker, address, vintages
     FROM ledger LEFT JOIN supply USING (asset_id) WHERE offset_id = offsets.id ORDER BY ledger.price_micros, asset_id
   ) AS line) AS lines`;

const time = z.string().transform((text) => new Date(text).toISOString());

/** An offset and its ledger entries, in one row. `bigint` and `numeric` are decimal text. */
export const offsetRecord = z.object({
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
  created_at: time,
  updated_at: time,
  completed_at: time.nullable(),
  failed_at: time.nullable(),
  lines: z.array(line).nullable(),
});
/** A row of {@link OFFSET_RECORD} as read. */
export type OffsetRecord = z.output<typeof offsetRecord>;

/** Returns an offset as clients see it: credits and dollars as decimal numbers, absent members left out. */
export function offsetView(offset: OffsetRecord): OffsetView {
  const lines = offset.lines ?? [];
  const matched = lines.reduce((sum, { grams }) => sum + BigInt(grams), 0n);
  return {
    id: offset.id,
    status: offset.status,
    kgCO2e: offset.kg_co2e,
    credits: creditsFromGrams(BigInt(offset.grams)),
    creditsMatched: creditsFromGrams(matched),
    retirements: lines.map(lineView),
    ...(offset.cost_micros !== null && { cost: usdFromMicros(BigInt(offset.cost_micros)), currency: 'USD' as const }),
    ...(offset.estimate_id !== null && { estimateId: offset.estimate_id }),
    ...(offset.customer_ref !== null && { customerRef: offset.customer_ref }),
    ...(offset.failure_code !== null && {
      failure: { code: offset.failure_code, detail: offset.failure_detail ?? '' },
    }),
    createdAt: offset.created_at,
    updatedAt: offset.updated_at,
    ...(offset.completed_at !== null && { completedAt: offset.completed_at }),
    ...(offset.failed_at !== null && { failedAt: offset.failed_at }),
  };
}

/** Returns a line of an offset or of an estimate as clients see it. */
export function lineView({ asset_id, grams, price_micros, ticker, address, vintages }: LineRow): RetirementView {
  return {
    asset: asset_id,
    ...(ticker !== null && { ticker }),
    ...(address !== null && { address }),
    ...(vintages !== null && { vintages }),
    credits: creditsFromGrams(BigInt(grams)),
    price: usdFromMicros(BigInt(price_micros)),
    cost: usdFromMicros(costMicros(BigInt(grams), BigInt(price_micros))),
  };
}
