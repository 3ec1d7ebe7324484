/** What is known of one partition of the asset topic, by position of the next message. */
export interface PartitionProgress {
  /** Where the topic ends now. */
  readonly end: bigint;
  /** How far our tables have come; undefined when nothing of it was ever read. */
  readonly stored: bigint | undefined;
  /** How far Kafka believes we have come. */
  readonly committed: bigint | undefined;
}

/** Whether the last reading of the topic can be continued, or it must be read again from its beginning. */
export type ReadingVerdict = 'continue' | 'again' | 'another topic';

/**
 * A reading is continued as long as tables and group agree. They write first, Kafka learns later; so Kafka knowing more
 * means that the database was put back to an earlier state, and Kafka knowing nothing that the group was forgotten (what
 * was withdrawn in the meantime may have left no trace). Positions beyond the topic's end belong to a topic that is gone, and
 * so do all of them where Kafka says that it is another topic, wherever that one ends.
 */
export function judgeReading(partitions: readonly PartitionProgress[], isSameTopic: boolean): ReadingVerdict {
  if (!isSameTopic || partitions.some(({ stored = 0n, end }) => stored > end)) return 'another topic';
  const broken = partitions.some(({ stored, committed }) =>
    stored === undefined ? committed !== undefined && committed > 0n : committed === undefined || committed > stored,
  );
  return broken ? 'again' : 'continue';
}

/** Whether everything up to the ends read at the start is in the tables, or was put aside as unreadable. */
export function hasCaughtUp(
  ends: ReadonlyMap<number, { readonly begin: bigint; readonly end: bigint }>,
  reached: ReadonlyMap<number, bigint>,
): boolean {
  return [...ends].every(([partition, { begin, end }]) => end === begin || (reached.get(partition) ?? 0n) >= end);
}
