/** What is known of one partition of `offset.requested`, by position of the next message. */
export interface RequestPartition {
  readonly partition: number;
  /** The lowest position that Kafka still has. */
  readonly begin: bigint;
  /** The position that the next message gets. */
  readonly end: bigint;
  /** How far PostgreSQL holds the requests; undefined when it holds none of this topic. */
  readonly stored: bigint | undefined;
  /** How far Kafka believes the consumer group has come. */
  readonly committed: bigint | undefined;
}

/** Requests that Kafka has deleted and PostgreSQL may lack: from the stored position up to the begin of the log. */
export interface LostRequests {
  readonly partition: number;
  readonly from: bigint;
  readonly before: bigint;
}

/** From where to consume, and what stands against it. */
export interface StartVerdict {
  readonly starts: ReadonlyMap<number, bigint>;
  /** Empty, or nothing may be consumed. */
  readonly lost: readonly LostRequests[];
  /** Partitions that end before the stored position: their log was truncated. */
  readonly truncated: readonly number[];
}

/**
 * Requests are consumed from the smaller of the stored and the committed position. Where nothing is stored for this topic, the
 * database is new, or older than the topic, and everything is read: a request that is recorded already changes nothing. So
 * it is where the log was truncated, because what was written in its place lies before the stored position.
 */
export function judgeStarts(partitions: readonly RequestPartition[]): StartVerdict {
  const starts = new Map(partitions.map((one) => [one.partition, startOf(one)]));
  const lost = partitions.flatMap(({ partition, stored, begin }) =>
    stored !== undefined && stored < begin ? [{ partition, from: stored, before: begin }] : [],
  );
  const truncated = partitions.filter(({ stored = 0n, end }) => stored > end).map(({ partition }) => partition);
  return { starts, lost, truncated };
}

function startOf({ begin, end, stored, committed }: RequestPartition): bigint {
  if (stored === undefined || stored > end) return begin;
  const smaller = committed !== undefined && committed < stored ? committed : stored;
  return smaller < begin ? begin : smaller;
}

/** How many requests are lost. */
export function countLost(lost: readonly LostRequests[]): bigint {
  return lost.reduce((sum, { from, before }) => sum + before - from, 0n);
}
