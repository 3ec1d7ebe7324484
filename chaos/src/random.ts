/** Returns random numbers that are the same for the same seed (mulberry32, public domain, by Tommy Ettinger). */
export class Random {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, inclusive. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** One of the values. */
  pick<T>(values: readonly T[]): T {
    const value = values[this.whole(0, values.length - 1)];
    if (value === undefined) throw new Error('The list is empty.');
    return value;
  }

  /** The values in a random order. */
  shuffle<T>(values: readonly T[]): T[] {
    const keyed = values.map((value) => [this.next(), value] as const);
    return keyed.sort(([one], [other]) => one - other).map(([, value]) => value);
  }
}
