/** One batch is closed by whichever limit it meets first. */
export interface BatchLimits {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * What waits to be sent, first come first served, from which one can step out again. Who does so has waited longest, as a
 * rule, and is found at once. A list and not a set: a set through which thousands go in a second keeps the garbage collector
 * busy with all that were ever in it (see `ActiveRequests` of @carbon/http).
 */
export class WaitingLine<T extends { readonly bytes: number }> {
  private readonly waiting: T[] = [];

  get length(): number {
    return this.waiting.length;
  }

  add(entry: T): void {
    this.waiting.push(entry);
  }

  /** @returns whether it was still waiting */
  leave(entry: T): boolean {
    const at = this.waiting.indexOf(entry);
    if (at >= 0) this.waiting.splice(at, 1);
    return at >= 0;
  }

  /** The next batch: as many as fit, at least one when anybody waits. */
  take(limits: BatchLimits): T[] {
    let [count, bytes] = [0, 0];
    for (const entry of this.waiting) {
      bytes += entry.bytes;
      if (count > 0 && (count >= limits.messages || bytes > limits.bytes)) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }
}
