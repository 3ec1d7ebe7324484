/** Grams of one asset at a fixed price, in micro-dollars per credit. */
export interface PricedLine {
  readonly asset: string;
  readonly grams: bigint;
  readonly priceMicros: bigint;
}

/** The lines that one transaction writes at most, as far as it can choose: its statements must not time out. */
export const BATCH_LINES = 5_000;

/** A line of one offset. */
export interface OffsetLine extends PricedLine {
  /** The offset's id. */
  readonly offset: string;
}

/** Sums the grams of lines by asset. */
export function gramsByAsset(lines: readonly Pick<PricedLine, 'asset' | 'grams'>[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { asset, grams } of lines) sums.set(asset, (sums.get(asset) ?? 0n) + grams);
  return sums;
}
