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

/**
 * Splits items, in their order, into as few chunks as have at most `BATCH_LINES` lines each; an item with more is alone. A
 * statement that times out is taken for an outage and retried as it is, so chunks are cut beforehand.
 */
export function chunkByLines<T extends { readonly lines: number }>(items: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let room = 0;
  for (const item of items) {
    if (chunks.length === 0 || item.lines > room) {
      chunks.push([]);
      room = BATCH_LINES;
    }
    chunks.at(-1)?.push(item);
    room -= item.lines;
  }
  return chunks;
}
