import { ESTIMATE_UNSERVABLE, type Failure, supplyShortage, TOO_MANY_ASSETS } from './failure.js';
import type { PricedLine } from './line.js';

/** The maximum number of assets from which one offset is retired: its event, 390 bytes a line, must fit into a message of 1 MiB. */
export const MAX_LINES = 2_500;

/** A retirable asset: grams that are neither reserved nor retired, at a price in micro-dollars per credit. */
export interface Supply {
  readonly asset: string;
  readonly available: bigint;
  readonly priceMicros: bigint;
  readonly rating?: number | undefined;
  /** Only offsets whose estimate names the asset may take its credits. */
  readonly onlyForEstimates?: boolean | undefined;
}

interface Stock {
  readonly asset: string;
  readonly priceMicros: bigint;
  readonly onlyForEstimates?: boolean | undefined;
  available: bigint;
}

/** The working copy of the supply while a batch is decided, in the order in which credits are taken. */
export class Inventory {
  /** The stocks that any offset may take from; those that are only for estimates are missing. */
  private readonly unrestricted: readonly Stock[];
  private readonly byAsset: ReadonlyMap<string, Stock>;
  /** Grams that any offset may take. */
  private availableToAll = 0n;
  /** All unrestricted stocks before this index are empty. */
  private firstNonEmpty = 0;

  /**
   * @param supplies in order of preference; they are copied
   * @param maxLines the maximum number of assets from which one offset is retired
   */
  constructor(
    supplies: readonly Supply[],
    private readonly maxLines: number = MAX_LINES,
  ) {
    const stocks: Stock[] = supplies.map((supply) => ({ ...supply }));
    this.byAsset = new Map(stocks.map((stock) => [stock.asset, stock]));
    this.unrestricted = stocks.filter(({ available, onlyForEstimates }) => available > 0n && !onlyForEstimates);
    for (const { available } of this.unrestricted) this.availableToAll += available;
  }

  /** Takes this many grams, from preferred assets first. Takes nothing and returns a failure if it cannot take all. */
  take(grams: bigint): readonly PricedLine[] | Failure {
    if (grams > this.availableToAll && this.unrestricted.length - this.firstNonEmpty < this.maxLines)
      return supplyShortage(this.availableToAll);
    const parts: { stock: Stock; grams: bigint }[] = [];
    let missing = grams;
    for (let index = this.firstNonEmpty; missing > 0n; index += 1) {
      const stock = this.unrestricted[index];
      if (stock === undefined) return supplyShortage(this.availableToAll);
      if (stock.available === 0n) continue;
      if (parts.length === this.maxLines) return TOO_MANY_ASSETS;
      const part = smaller(stock.available, missing);
      parts.push({ stock, grams: part });
      missing -= part;
    }
    return parts.map((part) => this.remove(part.stock, part.grams, part.stock.priceMicros));
  }

  /** Takes exactly these lines, at their prices. Takes nothing and returns a failure if one exceeds what is available. */
  takeExactly(lines: readonly PricedLine[]): readonly PricedLine[] | Failure {
    const parts = lines.map((line) => ({ ...line, stock: this.byAsset.get(line.asset) }));
    const servable = parts.flatMap(({ stock, grams, priceMicros }) =>
      stock !== undefined && stock.available >= grams ? [{ stock, grams, priceMicros }] : [],
    );
    if (servable.length < lines.length) return ESTIMATE_UNSERVABLE;
    return servable.map(({ stock, grams, priceMicros }) => this.remove(stock, grams, priceMicros));
  }

  private remove(stock: Stock, grams: bigint, priceMicros: bigint): PricedLine {
    stock.available -= grams;
    if (!stock.onlyForEstimates) this.availableToAll -= grams;
    while (this.unrestricted[this.firstNonEmpty]?.available === 0n) this.firstNonEmpty += 1;
    return { asset: stock.asset, grams, priceMicros };
  }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
