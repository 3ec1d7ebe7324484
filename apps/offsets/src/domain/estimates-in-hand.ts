import { ENOUGH_LINES } from './allocation.js';

/** Half of what a batch gives: even with one large estimate beyond it, there is room for those that name none. */
const LINES_IN_HAND = ENOUGH_LINES / 2;

/**
 * Which estimates one batch looks at, in the order in which its offsets name them, by how many lines each has (none: it is
 * not known): as many as have `most` lines together, and always the first. Those behind the first one that is too much
 * wait as well, however small: otherwise a large one might wait for ever.
 */
export function estimatesInHand(
  named: readonly string[],
  lineCounts: ReadonlyMap<string, number>,
  most: number = LINES_IN_HAND,
): Set<string> {
  const inHand = new Set<string>();
  let lines = 0;
  for (const estimate of new Set(named)) {
    lines += lineCounts.get(estimate) ?? 0;
    if (lines > most && inHand.size > 0) break;
    inHand.add(estimate);
  }
  return inHand;
}
