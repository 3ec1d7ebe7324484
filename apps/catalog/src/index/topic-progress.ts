import type { CommittedPosition, PartitionEnds, TopicProgress } from '@carbon/messaging';
import type { StoredTopicSnapshot } from './state-document.js';

/** The topic of the asset library. */
export const LIBRARY_TOPIC = 'asset.published';

/** Returns the lag of the group, in positions. There may be fewer messages, because the topic is compacted. */
export function consumerLag(ends: readonly PartitionEnds[], committed: readonly CommittedPosition[]): bigint {
  const positions = new Map(committed.map(({ partition, position }) => [partition, position]));
  return ends.reduce((left, { partition, begin, end }) => {
    const position = positions.get(partition) ?? begin;
    return position < end ? left + end - position : left;
  }, 0n);
}

/** Limits positions to the ends, because the topic may have lost its tail since they were committed. */
export function withinEnds(
  committed: readonly CommittedPosition[],
  ends: readonly PartitionEnds[],
): CommittedPosition[] {
  const last = new Map(ends.map(({ partition, end }) => [partition, end]));
  return committed.map(({ partition, position }) => {
    const end = last.get(partition) ?? 0n;
    return { partition, position: position !== undefined && position > end ? end : position };
  });
}

/** Returns whether one group has reached the position of another on every partition. */
export function hasReached(one: readonly CommittedPosition[], other: readonly CommittedPosition[]): boolean {
  const positions = new Map(one.map(({ partition, position }) => [partition, position]));
  return other.every(({ partition, position = 0n }) => (positions.get(partition) ?? 0n) >= position);
}

/** The identity of a topic and its end positions at one moment. */
export type TopicSnapshot = Pick<TopicProgress, 'cluster' | 'topicId' | 'ends'>;

/** Returns a snapshot of a topic as the state document stores it. */
export function storedSnapshot({ cluster, topicId, ends }: TopicSnapshot): StoredTopicSnapshot {
  const byPartition = [...ends].sort((one, other) => one.partition - other.partition);
  return { cluster, topicId, ends: byPartition.map(({ end }) => String(end)) };
}

/** Adds the topic ID to a generation's stored snapshot, or creates one. Returns undefined if it has an ID already. */
export function withTopicId(
  stored: StoredTopicSnapshot | undefined,
  topic: TopicSnapshot,
): StoredTopicSnapshot | undefined {
  return stored?.topicId === undefined ? { ...storedSnapshot(topic), ...stored, topicId: topic.topicId } : undefined;
}

/**
 * Finds evidence that the topic is not the one from which a generation was filled. Positions start at zero in a re-created
 * topic, so its messages would have lower versions than the documents, and OpenSearch would ignore them.
 *
 * @param previous the topic as this process saw it before
 */
export function reasonTopicChanged(
  topic: TopicSnapshot,
  stored: StoredTopicSnapshot | undefined,
  committed: readonly CommittedPosition[],
  previous: TopicSnapshot | undefined,
): string | undefined {
  if (stored && stored.cluster !== topic.cluster)
    return 'the cluster ID of Kafka differs from the one with which the index was filled';
  const isOther = (topicId: string | undefined) => topicId !== undefined && topicId !== topic.topicId;
  if (isOther(stored?.topicId) || isOther(previous?.topicId)) return 'the topic was re-created';
  const ends = new Map(topic.ends.map(({ partition, end }) => [partition, end]));
  const isBeyond = (partition: number, position: bigint) => position > (ends.get(partition) ?? 0n);
  if (stored?.ends.some((end, partition) => isBeyond(partition, BigInt(end)))) {
    return 'the topic ends before the position at which it ended when the generation was started';
  }
  if (committed.some(({ partition, position }) => position !== undefined && isBeyond(partition, position))) {
    return 'the consumer group is beyond the end of the topic';
  }
  if (previous?.ends.some(({ partition, end }) => isBeyond(partition, end)))
    return 'the topic ends before the position at which it ended earlier';
  return undefined;
}
