/** Returns a whole number from 0 to below the given one; the only source of randomness here, so a test controls it. */
export type Choose = (below: number) => number;

/** A non-empty list. */
export type Pool<T> = readonly [T, ...T[]];

/** Returns one of the entries. */
export function oneOf<T>(choose: Choose, entries: Pool<T>): T {
  return entries[choose(entries.length)] ?? entries[0];
}

/** Returns true once in so many times. */
export function oneIn(choose: Choose, times: number): boolean {
  return choose(times) === times - 1;
}

/** Returns a random number generator with a seed, for reproducible tests (mulberry32). */
export function seeded(seed: number): Choose {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
