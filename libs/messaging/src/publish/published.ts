import type { RecordMetadata, TopicMessages } from 'kafkajs';
import type { Outgoing } from './known-partitions.js';

/** Where Kafka wrote a message. */
export interface Published {
  readonly partition: number;
  /** The message's position in the partition (Kafka calls it an offset). */
  readonly position: bigint;
}

/** Messages as kafkajs takes them: by topic, in their order. */
export function topicMessages(messages: readonly Outgoing[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, record } of messages) {
    const known = topics.get(topic);
    if (known === undefined) topics.set(topic, { topic, messages: [record] });
    else known.messages.push(record);
  }
  return [...topics.values()];
}

/**
 * Where each message was written, by the broker's response. undefined where the response does not name the message's
 * partition or names an error for it: kafkajs resolves in the first case, too.
 */
export function publishedAt(
  messages: readonly Outgoing[],
  response: readonly RecordMetadata[],
): (Published | undefined)[] {
  const next = new Map<string, Map<number, bigint>>();
  for (const { topicName, partition, errorCode, baseOffset } of response) {
    if (errorCode !== 0 || baseOffset === undefined) continue;
    const partitions = next.get(topicName) ?? new Map<number, bigint>();
    next.set(topicName, partitions.set(partition, BigInt(baseOffset)));
  }
  return messages.map(({ topic, record: { partition } }) => {
    const partitions = next.get(topic);
    if (partition === undefined || partitions === undefined) return undefined;
    const position = partitions.get(partition);
    if (position === undefined) return undefined;
    partitions.set(partition, position + 1n);
    return { partition, position };
  });
}
