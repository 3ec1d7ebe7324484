import { z } from 'zod';

/** JSON has null for what is not a number, such as the processor time on a system without /proc. */
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);

/** The schema of a {@link Spread} in the file of results. */
export const spreadSchema = z.object({
  median: figure,
  min: figure,
  max: figure,
  /** In the order of the rounds. */
  rounds: z.array(figure).readonly(),
});

/** The results of all rounds, with their median, minimum and maximum. */
export type Spread = Readonly<z.output<typeof spreadSchema>>;

/** @param rounds one result per round, at least one */
export function spreadOf(rounds: readonly number[]): Spread {
  return { median: median(rounds), min: Math.min(...rounds), max: Math.max(...rounds), rounds };
}

/** Returns the middle value; for an even count, the mean of the middle two. @throws RangeError without any value */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('The median needs at least one value.');
  return (low + high) / 2;
}

/** Returns the nearest-rank percentile of ascending values; `share` is from 0 to 1. */
export function percentile(ascending: ArrayLike<number>, share: number): number {
  const value = ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)];
  if (value === undefined) throw new RangeError('A percentile needs at least one value.');
  return value;
}

/** Returns the median, the 99th percentile and the maximum of durations in any order. */
export function summaryOf(latencies: readonly number[]): Readonly<Record<'p50' | 'p99' | 'max', number>> {
  const sorted = Float64Array.from(latencies).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: percentile(sorted, 1) };
}

/** The functions to compare, by name; each measures one round. */
export type Variants<K extends string, T> = Readonly<Record<K, (round: number) => Promise<T>>>;

/**
 * Runs the variants in turn, A B A B …, so that other load on the machine affects them equally.
 * @returns the results of each variant, by round
 */
export async function alternate<K extends string, T>(
  variants: Variants<K, T>,
  rounds: number,
): Promise<Record<K, T[]>> {
  const names = Object.keys(variants) as K[];
  const found = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<K, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) found[name].push(await variants[name](round));
  }
  return found;
}
