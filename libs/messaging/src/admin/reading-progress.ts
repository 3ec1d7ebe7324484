import type { PartitionEnds } from './positions.js';

/**
 * Tells when a topic has been read to its ends. The message before an end may have been compacted away, so a partition
 * is also through when several fetches in a row have brought nothing of any that is still open.
 */
export class ReadingProgress {
  private readonly open = new Map<number, bigint>();
  private quiet = 0;

  constructor(
    ends: readonly PartitionEnds[],
    private readonly quietFetches: number,
  ) {
    for (const { partition, begin, end } of ends) if (end > begin) this.open.set(partition, end);
  }

  get done(): boolean {
    return this.open.size === 0 || this.quiet > this.quietFetches;
  }

  /** A fetch has been answered, whatever it brought. */
  fetched(): void {
    this.quiet += 1;
  }

  /** Everything of a partition up to this position, inclusive, has been handed over. */
  reached(partition: number, position: bigint): void {
    this.quiet = 0;
    const end = this.open.get(partition);
    if (end !== undefined && position + 1n >= end) this.open.delete(partition);
  }
}
