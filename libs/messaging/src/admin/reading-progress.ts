import type { PartitionEnds } from './positions.js';

/** So many times as often quiet as needed: the broker that is waited for leads none of the partitions any more. */
const FORGOTTEN = 20;

/**
 * Tells when a topic has been read to its ends. The message before an end may have been compacted away, so a partition
 * is also through when several fetches in a row have brought nothing of any that is still open. Each broker is fetched
 * from at its own pace, and its answers say nothing about the partitions of another: all of them must have been quiet.
 */
export class ReadingProgress {
  private readonly open = new Map<number, bigint>();
  /** By broker: its answers since the last news of any. */
  private readonly quiet = new Map<number, number>();

  constructor(
    ends: readonly PartitionEnds[],
    private readonly quietFetches: number,
  ) {
    for (const { partition, begin, end } of ends) if (end > begin) this.open.set(partition, end);
  }

  /** Whether every partition was read to its end. */
  get isWhole(): boolean {
    return this.open.size === 0;
  }

  get done(): boolean {
    if (this.isWhole) return true;
    const counts = [...this.quiet.values()];
    const areAllQuiet = counts.length > 0 && counts.every((count) => count > this.quietFetches);
    return areAllQuiet || counts.some((count) => count > FORGOTTEN * this.quietFetches);
  }

  /** A broker has been asked: its answer counts from now on. */
  asked(broker: number): void {
    if (!this.quiet.has(broker)) this.quiet.set(broker, 0);
  }

  /** A fetch has been answered, whatever it brought. */
  fetched(broker: number): void {
    this.quiet.set(broker, (this.quiet.get(broker) ?? 0) + 1);
  }

  /** A message has been handed over: more of the same batch is on its way. */
  moved(): void {
    for (const broker of this.quiet.keys()) this.quiet.set(broker, 0);
  }

  /** Everything of a partition up to this position, inclusive, has been handed over. */
  reached(partition: number, position: bigint): void {
    this.moved();
    const end = this.open.get(partition);
    if (end !== undefined && position + 1n >= end) this.open.delete(partition);
  }
}
