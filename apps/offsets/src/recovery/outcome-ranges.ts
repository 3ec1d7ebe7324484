import { type KafkaHandle, type PartitionEnds, topicEnds, topicIdentities } from '@carbon/messaging';
import { OUTCOME_TOPICS, type OutcomePosition, type OutcomeTopic } from '../persistence/outcome-positions.js';
import { RecoveryStopped } from './recovery-stopped.js';

/** What is to be compared of one topic of outcomes. */
export interface OutcomeRange {
  readonly topic: OutcomeTopic;
  readonly topicId: string;
  /** Of each partition, from the first outcome that the database may lack to the end. */
  readonly partitions: readonly PartitionEnds[];
  /** Partitions that end before the stored position: their log was truncated. */
  readonly truncated: readonly number[];
}

/** The topics of outcomes as they are now, from the stored positions on. @throws RecoveryStopped */
export async function outcomeRanges(kafka: KafkaHandle, stored: readonly OutcomePosition[]): Promise<OutcomeRange[]> {
  const identities = await topicIdentities(kafka, OUTCOME_TOPICS);
  const ranges: OutcomeRange[] = [];
  for (const topic of OUTCOME_TOPICS) {
    const { clusterId, topicId } = identities.get(topic) ?? { clusterId: '', topicId: '' };
    const id = `${clusterId}/${topicId}`;
    const positions = new Map(
      stored.filter((one) => one.topicId === id).map(({ partition, position }) => [partition, position]),
    );
    const ends = await topicEnds(kafka, topic);
    ranges.push({
      ...{ topic, topicId: id },
      partitions: ends.map((one) => rangeFrom(topic, one, positions.get(one.partition))),
      truncated: ends
        .filter(({ partition, end }) => (positions.get(partition) ?? 0n) > end)
        .map((one) => one.partition),
    });
  }
  return ranges;
}

/**
 * Nothing stored: all of it may be news. A stored position beyond the end belongs to a log that was truncated, and what has
 * been written since may be below it. One below the begin leaves outcomes that nobody can compare any more.
 */
export function rangeFrom(
  topic: string,
  { partition, begin, end }: PartitionEnds,
  stored: bigint | undefined,
): PartitionEnds {
  if (stored === undefined || stored > end) return { partition, begin, end };
  if (stored >= begin) return { partition, begin: stored, end };
  throw new RecoveryStopped(
    `PostgreSQL holds the outcomes of ${topic} partition ${partition} up to position ${stored}, and Kafka has them from ` +
      `${begin} on: ${begin - stored} that PostgreSQL may lack are gone. Restore a newer backup; or, to go on without them, ` +
      'DELETE FROM outcome_positions, as docs/restore.md says.',
  );
}

/** What is stored once everything in these ranges is known. */
export function endPositions(ranges: readonly OutcomeRange[]): OutcomePosition[] {
  return ranges.flatMap(({ topicId, partitions }) =>
    partitions.map(({ partition, end }) => ({ topicId, partition, position: end })),
  );
}
