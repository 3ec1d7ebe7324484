import type { CommittedPosition, PartitionEnds } from '@carbon/messaging';
import type { TopicMark } from './library-state.js';

/** The topic as it is now. */
export interface TopicNow {
  /** Kafka's own name for itself: another one once its data was wiped. */
  readonly cluster: string;
  /** Kafka's id of the topic: another one once it was created anew. */
  readonly topicId: string;
  readonly ends: readonly PartitionEnds[];
}

/** What to remember of the topic when a generation is begun. */
export function topicMark({ cluster, topicId, ends }: TopicNow): TopicMark {
  const inOrder = [...ends].sort((one, other) => one.partition - other.partition);
  return { cluster, topicId, ends: inOrder.map(({ end }) => String(end)) };
}

/** The mark of a generation of before topics were told by their ids, completed; undefined where nothing is missing. */
export function completedMark(mark: TopicMark | undefined, topic: TopicNow): TopicMark | undefined {
  return mark?.topicId === undefined ? { ...topicMark(topic), ...mark, topicId: topic.topicId } : undefined;
}

/** Whether nothing was ever published. */
export function isUntouched({ ends }: TopicNow): boolean {
  return ends.every(({ end }) => end === 0n);
}

/**
 * Why the topic cannot be the one that a generation was filled from, if there is a sign of it. Positions begin at zero in
 * a topic made anew, so everything in it would be older than what the index holds, and be refused without a word.
 * `seen` is what this process saw of the topic before.
 */
export function signOfAnotherTopic(
  topic: TopicNow,
  mark: TopicMark | undefined,
  committed: readonly CommittedPosition[],
  seen: TopicNow | undefined,
): string | undefined {
  if (mark && mark.cluster !== topic.cluster) return 'Kafka is another one than it was filled from';
  if (mark?.topicId !== undefined && mark.topicId !== topic.topicId) return 'the topic was created anew';
  if (seen && seen.topicId !== topic.topicId) return 'the topic was created anew';
  const ends = new Map(topic.ends.map(({ partition, end }) => [partition, end]));
  const beyond = (partition: number, position: bigint) => position > (ends.get(partition) ?? 0n);
  if (mark?.ends.some((end, partition) => beyond(partition, BigInt(end)))) {
    return 'the topic is shorter than when it was begun';
  }
  if (committed.some(({ partition, position }) => position !== undefined && beyond(partition, position))) {
    return 'its consumer group has read beyond the end of the topic';
  }
  if (seen?.ends.some(({ partition, end }) => beyond(partition, end))) return 'the topic has become shorter';
  return undefined;
}
