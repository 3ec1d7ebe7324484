import {
  committedPositions,
  type KafkaHandle,
  type PartitionEnds,
  type TopicIdentity,
  topicEnds,
  topicIdentity,
} from '@carbon/messaging';
import type { PartitionProgress } from '../domain/positions.js';

/** Positions of the next message, by partition. */
export type Positions = ReadonlyMap<number, bigint>;

/** A topic, and how far it is consumed. */
export interface ConsumptionProgress {
  readonly identity: TopicIdentity;
  readonly partitions: readonly PartitionProgress[];
}

/**
 * Reads the progress in an order that holds while others consume: a position is stored before it is committed, and both are within
 * the log. So committed positions are read first, then stored ones, then the ends.
 */
export async function readTopicProgress(
  kafka: KafkaHandle,
  topic: string,
  group: string,
  readStored: (identity: TopicIdentity) => Promise<Positions>,
  readEnds: () => Promise<readonly PartitionEnds[]> = () => topicEnds(kafka, topic),
): Promise<ConsumptionProgress> {
  const identity = await topicIdentity(kafka, topic);
  const committed = new Map(
    (await committedPositions(kafka, group, topic)).map(({ partition, position }) => [partition, position]),
  );
  const stored = await readStored(identity);
  const partitions = (await readEnds()).map((ends) => ({
    ...ends,
    stored: stored.get(ends.partition),
    committed: committed.get(ends.partition),
  }));
  return { identity, partitions };
}
