import type { Admin } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { withAdmin } from './with-admin.js';

/** What one partition holds. */
export interface PartitionEnds {
  readonly partition: number;
  /** The lowest position that may still be there. */
  readonly begin: bigint;
  /** The position the next message will get; equal to `begin` when there is nothing to read. */
  readonly end: bigint;
}

/** Where a group has got to in one partition. */
export interface CommittedPosition {
  readonly partition: number;
  /** The position the group will read next; undefined when it has never committed one. */
  readonly position: bigint | undefined;
}

/** Begin and end of every partition of a topic as they are now, by partition. */
export function endsOf(kafka: KafkaHandle, topic: string): Promise<PartitionEnds[]> {
  return withAdmin(kafka, (admin) => readEnds(admin, kafka, topic));
}

/** How far a group has come on a topic, by partition. Group and topic by plain name. */
export function committedPositions(kafka: KafkaHandle, group: string, topic: string): Promise<CommittedPosition[]> {
  return withAdmin(kafka, (admin) => readCommitted(admin, kafka, group, topic));
}

/** As `endsOf`, over a connection that is open. */
export async function readEnds(admin: Admin, kafka: KafkaHandle, topic: string): Promise<PartitionEnds[]> {
  const offsets = await admin.fetchTopicOffsets(kafka.names.topic(topic));
  return offsets
    .map(({ partition, low, high }) => ({ partition, begin: BigInt(low), end: BigInt(high) }))
    .sort((one, other) => one.partition - other.partition);
}

/** As `committedPositions`, over a connection that is open. */
export async function readCommitted(
  admin: Admin,
  kafka: KafkaHandle,
  group: string,
  topic: string,
): Promise<CommittedPosition[]> {
  const answers = await admin.fetchOffsets({ groupId: kafka.names.group(group), topics: [kafka.names.topic(topic)] });
  return answers
    .flatMap(({ partitions }) => partitions)
    .map(({ partition, offset }) => ({ partition, position: BigInt(offset) < 0n ? undefined : BigInt(offset) }))
    .sort((one, other) => one.partition - other.partition);
}
