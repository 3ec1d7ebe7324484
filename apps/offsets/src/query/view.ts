import { costMicros, creditsFromGrams, type OffsetView, type RetirementView, usdFromMicros } from '@carbon/contracts';
import type { OffsetEntity } from '../persistence/offset.entity.js';

/** A ledger entry with what the library last said of its asset. */
export interface RetiredLine {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly ticker: string | null;
  readonly address: string | null;
}

/** An offset as clients see it: credits and dollars as decimal numbers, absent left out. */
export function offsetView(offset: OffsetEntity, lines: readonly RetiredLine[]): OffsetView {
  const matched = lines.reduce((sum, { grams }) => sum + BigInt(grams), 0n);
  return {
    id: offset.id,
    status: offset.status,
    kgCO2e: offset.kgCO2e,
    credits: creditsFromGrams(BigInt(offset.grams)),
    creditsMatched: creditsFromGrams(matched),
    retirements: lines.map(retirementView),
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

function retirementView({ asset_id, grams, price_micros, ticker, address }: RetiredLine): RetirementView {
  return {
    asset: asset_id,
    ...(ticker !== null && { ticker }),
    ...(address !== null && { address }),
    credits: creditsFromGrams(BigInt(grams)),
    price: usdFromMicros(BigInt(price_micros)),
    cost: usdFromMicros(costMicros(BigInt(grams), BigInt(price_micros))),
  };
}
