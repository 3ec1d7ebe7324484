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
