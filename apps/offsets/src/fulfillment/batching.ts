import { BATCH_LINES } from '../domain/line.js';

/**
 * Splits items, in their order, into as few chunks as have at most `BATCH_LINES` lines each; an item with more is alone. A
 * statement that times out is taken for an outage and retried as it is, so chunks are cut beforehand.
 */
export function chunkByLines<T extends { readonly lines: number }>(items: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let room = 0;
  for (const item of items) {
    if (chunks.length === 0 || item.lines > room) {
      chunks.push([]);
      room = BATCH_LINES;
    }
    chunks.at(-1)?.push(item);
    room -= item.lines;
  }
  return chunks;
}
