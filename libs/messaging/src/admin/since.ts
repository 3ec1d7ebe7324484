import type { KafkaHandle } from '../kafka/create-kafka.js';
import { endsOf, type PartitionEnds } from './positions.js';
import { withAdmin } from './with-admin.js';

/** As `endsOf`, but beginning with the first message that Kafka wrote down at this time or later. */
export async function endsSince(kafka: KafkaHandle, topic: string, since: Date): Promise<PartitionEnds[]> {
  const found = await withAdmin(kafka, (admin) =>
    admin.fetchTopicOffsetsByTimestamp(kafka.names.topic(topic), since.getTime()),
  );
  const begins = new Map(found.map(({ partition, offset }) => [partition, BigInt(offset)]));
  const ends = await endsOf(kafka, topic);
  return ends.map((one) => ({ ...one, begin: begins.get(one.partition) ?? one.end }));
}
