/** A copy of this process's environment, to be handed (changed) to a process it starts. */
export function inheritedEnvironment(): Record<string, string> {
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

/** Sets names in this process's environment, for the processes it starts later (a test runner's workers). */
export function provideEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}
