/** The progress in one partition of a topic, by position of the next message. */
export interface PartitionProgress {
  readonly partition: number;
  /** The lowest position that Kafka still has. */
  readonly begin: bigint;
  /** The end of the log. */
  readonly end: bigint;
  /** The position in PostgreSQL; undefined where it holds nothing of the partition. */
  readonly stored: bigint | undefined;
  /** The position of the consumer group in Kafka. */
  readonly committed: bigint | undefined;
}

/** Requests that Kafka has deleted and PostgreSQL may lack: from the stored position up to the begin of the log. */
export interface LostRequests {
  readonly partition: number;
  readonly from: bigint;
  readonly before: bigint;
}

/** Where the consumption of `offset.requested` starts. */
export interface StartVerdict {
  readonly starts: ReadonlyMap<number, bigint>;
  /** Unless empty, nothing may be consumed. */
  readonly lost: readonly LostRequests[];
  /** Partitions whose log ends before the stored position: it was truncated. */
  readonly truncated: readonly number[];
}

/**
 * Requests are consumed from the smaller of the stored and the committed position. Without a stored position the database is new, or
 * older than the topic, and everything is read, because a recorded request changes nothing. A truncated log is read from its begin,
 * because messages that were appended since are before the stored position.
 */
export function judgeStarts(partitions: readonly PartitionProgress[]): StartVerdict {
  const starts = new Map(partitions.map((one) => [one.partition, startOf(one)]));
  const lost = partitions.flatMap(({ partition, stored, begin }) =>
    stored !== undefined && stored < begin ? [{ partition, from: stored, before: begin }] : [],
  );
  const truncated = partitions.filter(({ stored = 0n, end }) => stored > end).map(({ partition }) => partition);
  return { starts, lost, truncated };
}

function startOf({ begin, end, stored, committed }: PartitionProgress): bigint {
  if (stored === undefined || stored > end) return begin;
  const smaller = committed !== undefined && committed < stored ? committed : stored;
  return smaller < begin ? begin : smaller;
}

/** Returns the number of lost requests. */
export function countLost(lost: readonly LostRequests[]): bigint {
  return lost.reduce((sum, { from, before }) => sum + before - from, 0n);
}

/** Whether consumption of the asset topic can resume, or a rebuild must read the topic from its beginning. */
export type RebuildVerdict = 'resume' | 'rebuild' | 'topicRecreated';

/**
 * Resumes as long as tables and group agree. Tables are written first and the group's positions later, so a higher committed position
 * means that the database was restored to an earlier state, and a missing one that the group has expired (withdrawals since then may
 * have left no trace). Positions beyond the end of the log belong to a deleted topic, and all do where the topic ID differs.
 */
export function rebuildVerdict(
  partitions: readonly Pick<PartitionProgress, 'end' | 'stored' | 'committed'>[],
  isSameTopic: boolean,
): RebuildVerdict {
  if (!isSameTopic || partitions.some(({ stored = 0n, end }) => stored > end)) return 'topicRecreated';
  const disagrees = partitions.some(({ stored, committed }) =>
    stored === undefined ? committed !== undefined && committed > 0n : committed === undefined || committed > stored,
  );
  return disagrees ? 'rebuild' : 'resume';
}

/** Whether everything up to these ends is in the tables, or was dead-lettered. */
export function hasCaughtUp(
  ends: readonly Pick<PartitionProgress, 'partition' | 'begin' | 'end'>[],
  stored: ReadonlyMap<number, bigint>,
): boolean {
  return ends.every(({ partition, begin, end }) => end === begin || (stored.get(partition) ?? 0n) >= end);
}
