import { committedPositions, type KafkaHandle, type TopicIdentity, topicEnds, topicIdentity } from '@carbon/messaging';
import type { RequestPartition } from '../domain/request-start.js';
import type { Query } from '../persistence/database.js';
import { readRequestPositions } from './request-positions.js';

/** The topic of requests, by plain name. */
export const REQUESTS = 'offset.requested';
/** The consumer group that records them. */
export const REQUESTS_GROUP = 'offsets.requests';

/** The topic of requests as it is now, and how far it was consumed. */
export interface RequestsNow {
  readonly identity: TopicIdentity;
  readonly partitions: readonly RequestPartition[];
}

/**
 * Reads it in an order that holds while others consume: a position is stored before it is committed, and both lie within the
 * topic, so Kafka's positions are read first, then the stored ones, and the ends last.
 */
export async function lookAtRequests(kafka: KafkaHandle, query: Query): Promise<RequestsNow> {
  const identity = await topicIdentity(kafka, REQUESTS);
  const committed = new Map(
    (await committedPositions(kafka, REQUESTS_GROUP, REQUESTS)).map(({ partition, position }) => [partition, position]),
  );
  const stored = await readRequestPositions(query, identity);
  const partitions = (await topicEnds(kafka, REQUESTS)).map((ends) => ({
    ...ends,
    stored: stored.get(ends.partition),
    committed: committed.get(ends.partition),
  }));
  return { identity, partitions };
}
