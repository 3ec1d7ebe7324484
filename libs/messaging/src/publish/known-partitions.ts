import type { ICustomPartitioner, PartitionMetadata } from 'kafkajs';
import { partitioner } from './partition-of-key.js';
import type { ProducerRecord } from './producer-record.js';

/** A message with the topic it goes to, under the topic's full name. */
export interface Outgoing {
  readonly topic: string;
  readonly record: ProducerRecord;
}

/** The partitions of one topic, as kafkajs last saw them. */
interface TopicPartitions {
  readonly metadata: PartitionMetadata[];
  /** Node ids by partition. */
  readonly leaders: ReadonlyMap<number, number>;
}

/**
 * Remembers the partition metadata that kafkajs hands to the partitioner, and groups messages by it. kafkajs reports one
 * outcome per call, so a call that spans brokers fails as a whole although some brokers wrote their part.
 */
export class KnownPartitions {
  private readonly topics = new Map<string, TopicPartitions>();
  private readonly choose = partitioner();

  readonly partitioner: ICustomPartitioner = () => (args) => {
    const { topic, partitionMetadata, message } = args;
    if (this.topics.get(topic)?.metadata !== partitionMetadata) this.update(topic, partitionMetadata);
    message.partition ??= this.choose(args);
    return message.partition;
  };

  /** Groups messages by the broker that leads their partition. Those of a topic not seen yet form a group. */
  byLeader<T extends Outgoing>(messages: readonly T[]): T[][] {
    return grouped(messages, (message) => this.leaderOf(message));
  }

  /** Groups messages by topic and partition. Those without a partition yet form a group. */
  byPartition<T extends Outgoing>(messages: readonly T[]): T[][] {
    return grouped(messages, ({ topic, record }) => record.partition === undefined || `${topic} ${record.partition}`);
  }

  private leaderOf({ topic, record }: Outgoing): number | undefined {
    const known = this.topics.get(topic);
    if (known === undefined) return undefined;
    record.partition ??= this.choose({ topic, partitionMetadata: known.metadata, message: record });
    return known.leaders.get(record.partition);
  }

  private update(topic: string, metadata: PartitionMetadata[]): void {
    const leaders = new Map(metadata.map(({ partitionId, leader }) => [partitionId, leader]));
    this.topics.set(topic, { metadata, leaders });
  }
}

function grouped<T>(messages: readonly T[], keyOf: (message: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const message of messages) {
    const key = keyOf(message);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [message]);
    else group.push(message);
  }
  return [...groups.values()];
}
