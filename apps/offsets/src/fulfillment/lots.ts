/**
 * Lines that one transaction settles, or that are read at once: a fraction of what a statement has time for. Out of time is
 * taken for an outage, and tried again as it is; so lots are cut beforehand.
 */
export const LOT_LINES = 5_000;

/** The same in the same order, in as few lots as have no more lines than that; what has more by itself is alone. */
export function lotsOf<T extends { readonly lines: number }>(items: readonly T[]): T[][] {
  const lots: T[][] = [];
  let room = 0;
  for (const item of items) {
    if (lots.length === 0 || item.lines > room) {
      lots.push([]);
      room = LOT_LINES;
    }
    lots.at(-1)?.push(item);
    room -= item.lines;
  }
  return lots;
}
