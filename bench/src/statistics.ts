/** The figure of every round, and what stands for them in a table. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** In the order of the rounds. */
  readonly rounds: readonly number[];
}

/** @param rounds one figure a round, at least one */
export function spreadOf(rounds: readonly number[]): Spread {
  return { median: median(rounds), min: Math.min(...rounds), max: Math.max(...rounds), rounds };
}

/** The middle value; of an even count the mean of the middle two. @throws RangeError without any value */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('There is no median of nothing.');
  return (low + high) / 2;
}

/** The least of the ascending values that at least `share` (0 to 1) of them do not exceed; the nearest-rank percentile. */
export function percentile(ascending: ArrayLike<number>, share: number): number {
  const value = ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)];
  if (value === undefined) throw new RangeError('There is no percentile of nothing.');
  return value;
}

/** Something to be measured again and again. */
export type Sides<K extends string, T> = Readonly<Record<K, (round: number) => Promise<T>>>;

/**
 * Lets the sides take turns, A B A B …, so that whatever else the machine does meets them alike.
 * @returns what each side measured, round by round
 */
export async function alternate<K extends string, T>(sides: Sides<K, T>, rounds: number): Promise<Record<K, T[]>> {
  const names = Object.keys(sides) as K[];
  const found = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<K, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) found[name].push(await sides[name](round));
  }
  return found;
}
