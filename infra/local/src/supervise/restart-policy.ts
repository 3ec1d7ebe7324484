/** Six exits within two minutes without having been ready in between are a part that will not come up. */
export const EXITS_THAT_END = 6;
export const EXITS_WITHIN_MS = 120_000;

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/** What to do after a part has exited. */
export type Restart = { readonly kind: 'again'; readonly inMs: number } | { readonly kind: 'give-up' };

/**
 * Decides after an exit. `exits` are the times (ms) of all exits since the part was last ready, this one included:
 * the wait starts at 0.2 s and doubles up to 5 s, and being ready starts it anew.
 */
export function afterExit(exits: readonly number[], now: number): Restart {
  const recent = exits.filter((at) => now - at <= EXITS_WITHIN_MS).length;
  if (recent >= EXITS_THAT_END) return { kind: 'give-up' };
  return { kind: 'again', inMs: Math.min(FIRST_WAIT_MS * 2 ** (exits.length - 1), LONGEST_WAIT_MS) };
}
