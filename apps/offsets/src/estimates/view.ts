import { costMicros, creditsFromGrams, type EstimateView, type RetirementView, usdFromMicros } from '@carbon/contracts';
import type { PricedLine } from '../domain/line.js';
import type { AssetNames } from '../persistence/asset-names.js';
import { type EstimateEntity, pricedLines } from '../persistence/estimate.entity.js';

/** An estimate as clients see it: credits and dollars as decimal numbers, absent left out. */
export function estimateView(estimate: EstimateEntity, names: ReadonlyMap<string, AssetNames>): EstimateView {
  const lines = pricedLines(estimate.lines);
  const cost = lines.reduce((sum, { grams, priceMicros }) => sum + costMicros(grams, priceMicros), 0n);
  return {
    id: estimate.id,
    kgCO2e: estimate.kgCO2e,
    credits: creditsFromGrams(BigInt(estimate.grams)),
    cost: usdFromMicros(cost),
    currency: 'USD',
    allocations: lines.map((line) => allocationView(line, names.get(line.asset))),
    createdAt: estimate.createdAt.toISOString(),
    expiresAt: estimate.expiresAt.toISOString(),
  };
}

function allocationView({ asset, grams, priceMicros }: PricedLine, names: AssetNames | undefined): RetirementView {
  const { ticker, address } = names ?? {};
  return {
    asset,
    ...(ticker != null && { ticker }),
    ...(address != null && { address }),
    credits: creditsFromGrams(grams),
    price: usdFromMicros(priceMicros),
    cost: usdFromMicros(costMicros(grams, priceMicros)),
  };
}
