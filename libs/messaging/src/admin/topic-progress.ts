import type { KafkaHandle } from '../kafka/create-kafka.js';
import { type CommittedPosition, type PartitionEnds, readCommitted, readEnds } from './positions.js';
import { topicIdentity } from './topic-identity.js';
import { withAdmin } from './with-admin.js';

/** A topic and how far groups have come on it. */
export interface TopicProgress {
  /** Kafka's own name for itself, made when its storage was: another one once that was wiped. */
  readonly cluster: string;
  /** Kafka's id of the topic: another one once it was created anew. */
  readonly topicId: string;
  /** Read last, so that no position lies beyond them unless the topic was made anew. */
  readonly ends: readonly PartitionEnds[];
  /** By group. Each was read after the one before it. */
  readonly committed: ReadonlyMap<string, readonly CommittedPosition[]>;
}

/** Reads all of it. Group and topic by plain name. */
export async function topicProgress(
  kafka: KafkaHandle,
  topic: string,
  groups: readonly string[],
): Promise<TopicProgress> {
  const { clusterId, topicId } = await topicIdentity(kafka, topic);
  return withAdmin(kafka, async (admin) => {
    const committed = new Map<string, readonly CommittedPosition[]>();
    for (const group of groups) committed.set(group, await readCommitted(admin, kafka, group, topic));
    return { cluster: clusterId, topicId, committed, ends: await readEnds(admin, kafka, topic) };
  });
}
