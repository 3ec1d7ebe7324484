/** One batch is closed by whichever limit it meets first. */
export interface BatchLimits {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * What waits to be sent, first come first served, from which one can step out again. A set keeps the order and makes
 * leaving cheap, so a line full of callers whose deadline has passed costs nothing.
 */
export class WaitingLine<T extends { readonly bytes: number }> {
  private readonly waiting = new Set<T>();

  get length(): number {
    return this.waiting.size;
  }

  add(entry: T): void {
    this.waiting.add(entry);
  }

  /** @returns whether it was still waiting */
  leave(entry: T): boolean {
    return this.waiting.delete(entry);
  }

  /** The next batch: as many as fit, at least one when anybody waits. */
  take(limits: BatchLimits): T[] {
    const batch: T[] = [];
    let bytes = 0;
    for (const entry of this.waiting) {
      if (batch.length > 0 && (batch.length >= limits.messages || bytes + entry.bytes > limits.bytes)) break;
      this.waiting.delete(entry);
      batch.push(entry);
      bytes += entry.bytes;
    }
    return batch;
  }
}
