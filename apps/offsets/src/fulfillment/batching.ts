import { BATCH_LINES } from '../domain/line.js';

/**
 * Batches items that come one at a time: while one batch is processed, the next one gathers. So batches grow under load, and an
 * item that comes alone does not wait.
 */
export class MicroBatcher<T> {
  private items: T[] = [];
  private next: Promise<void> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly process: (items: readonly T[]) => Promise<void>) {}

  /** Resolves, or rejects, with the batch that the item is in. */
  add(item: T): Promise<void> {
    this.items.push(item);
    this.next ??= this.after(this.last);
    return this.next;
  }

  private async after(last: Promise<unknown>): Promise<void> {
    await last;
    const batch = this.items;
    this.items = [];
    const processing = this.process(batch);
    this.next = undefined;
    this.last = processing.catch(() => {});
    await processing;
  }
}

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
