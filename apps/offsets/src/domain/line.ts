/** Grams of one asset at a price, in micro-dollars per credit, that is fixed. */
export interface PricedLine {
  readonly asset: string;
  readonly grams: bigint;
  readonly priceMicros: bigint;
}

/** A line and what it costs, in micro-dollars. */
export interface Line extends PricedLine {
  readonly costMicros: bigint;
}
