/** The progress in one partition of the asset topic, by position of the next message. */
export interface PartitionProgress {
  /** The end of the log. */
  readonly end: bigint;
  /** The position in PostgreSQL; undefined when nothing was read of the partition. */
  readonly stored: bigint | undefined;
  /** The position of the consumer group in Kafka. */
  readonly committed: bigint | undefined;
}

/** Whether consumption of the asset topic can resume, or a rebuild must read the topic from its beginning. */
export type RebuildVerdict = 'resume' | 'rebuild' | 'topicRecreated';

/**
 * Resumes as long as tables and group agree. Tables are written first and the group's positions later, so a higher committed position
 * means that the database was restored to an earlier state, and a missing one that the group has expired (withdrawals since then may
 * have left no trace). Positions beyond the end of the log belong to a deleted topic, and all do where the topic ID differs.
 */
export function rebuildVerdict(partitions: readonly PartitionProgress[], isSameTopic: boolean): RebuildVerdict {
  if (!isSameTopic || partitions.some(({ stored = 0n, end }) => stored > end)) return 'topicRecreated';
  const disagrees = partitions.some(({ stored, committed }) =>
    stored === undefined ? committed !== undefined && committed > 0n : committed === undefined || committed > stored,
  );
  return disagrees ? 'rebuild' : 'resume';
}

/** Whether everything up to the ends read at the start is in the tables, or was dead-lettered. */
export function hasCaughtUp(
  ends: ReadonlyMap<number, { readonly begin: bigint; readonly end: bigint }>,
  stored: ReadonlyMap<number, bigint>,
): boolean {
  return [...ends].every(([partition, { begin, end }]) => end === begin || (stored.get(partition) ?? 0n) >= end);
}
