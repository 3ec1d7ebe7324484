import { ESTIMATE_UNSERVABLE, type Failure, INSUFFICIENT_SUPPLY, TOO_SCATTERED } from './failure.js';
import type { PricedLine } from './line.js';

/** The most assets that one offset is retired from: its event must fit into a message of 1 MiB, 390 bytes a line. */
export const MOST_LINES = 2_500;

/** A retirable asset: grams that are neither reserved nor retired, at a price in micro-dollars per credit. */
export interface Supply {
  readonly asset: string;
  readonly available: bigint;
  readonly priceMicros: bigint;
  readonly rating?: number | undefined;
  /** It is here for those whose estimate names it; there may be preferred assets that nobody has looked at. */
  readonly onlyOnTerms?: boolean | undefined;
}

interface Stock {
  readonly asset: string;
  readonly priceMicros: bigint;
  readonly onlyOnTerms?: boolean | undefined;
  available: bigint;
}

/** Supplies in the order in which they are taken, while a batch of demands is being decided. */
export class Shelf {
  private readonly row: readonly Stock[];
  private readonly byAsset: ReadonlyMap<string, Stock>;
  /** Grams in the row. */
  private left = 0n;
  /** Before it the row is empty. */
  private front = 0;

  /**
   * @param supplies the preferred first; they are left as they are
   * @param most assets that one offset is retired from
   */
  constructor(
    supplies: readonly Supply[],
    private readonly most: number = MOST_LINES,
  ) {
    const stocks: Stock[] = supplies.map((supply) => ({ ...supply }));
    this.byAsset = new Map(stocks.map((stock) => [stock.asset, stock]));
    this.row = stocks.filter(({ available, onlyOnTerms }) => available > 0n && !onlyOnTerms);
    for (const { available } of this.row) this.left += available;
  }

  /** Takes so many grams from the front, or nothing. */
  take(grams: bigint): readonly PricedLine[] | Failure {
    if (grams > this.left && this.row.length - this.front < this.most) return INSUFFICIENT_SUPPLY;
    const parts: { stock: Stock; grams: bigint }[] = [];
    let missing = grams;
    for (let place = this.front; missing > 0n; place += 1) {
      const stock = this.row[place];
      if (stock === undefined) return INSUFFICIENT_SUPPLY;
      if (stock.available === 0n) continue;
      if (parts.length === this.most) return TOO_SCATTERED;
      const part = smaller(stock.available, missing);
      parts.push({ stock, grams: part });
      missing -= part;
    }
    return parts.map((part) => this.remove(part.stock, part.grams, part.stock.priceMicros));
  }

  /** Takes just these lines, at their prices, or nothing. */
  takeExactly(lines: readonly PricedLine[]): readonly PricedLine[] | Failure {
    const parts = lines.map((line) => ({ ...line, stock: this.byAsset.get(line.asset) }));
    const held = parts.flatMap(({ stock, grams, priceMicros }) =>
      stock !== undefined && stock.available >= grams ? [{ stock, grams, priceMicros }] : [],
    );
    if (held.length < lines.length) return ESTIMATE_UNSERVABLE;
    return held.map(({ stock, grams, priceMicros }) => this.remove(stock, grams, priceMicros));
  }

  private remove(stock: Stock, grams: bigint, priceMicros: bigint): PricedLine {
    stock.available -= grams;
    if (!stock.onlyOnTerms) this.left -= grams;
    while (this.row[this.front]?.available === 0n) this.front += 1;
    return { asset: stock.asset, grams, priceMicros };
  }
}

function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
