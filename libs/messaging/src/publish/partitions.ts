import { type ICustomPartitioner, Partitioners, type PartitionMetadata } from 'kafkajs';
import type { ProducerRecord } from './send-queue.js';

/** Constants of MurmurHash2 in Kafka's own clients. */
const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * The partitioner of kafkajs and of Kafka's own clients, with the hash in numbers of 32 bits: kafkajs creates objects of 64 bits
 * for every four bytes, and searches all partitions for each message. kafkajs still places messages without a key or with a
 * partition.
 */
export const partitioner: ICustomPartitioner = () => {
  const fallback = Partitioners.DefaultPartitioner();
  return (args) => {
    const { key, partition } = args.message;
    if (key == null || partition != null) return fallback(args);
    const bytes = typeof key === 'string' ? Buffer.from(key) : key;
    return (murmur2(bytes) & 0x7fffffff) % args.partitionMetadata.length;
  };
};

/** MurmurHash2 in 32 bits (https://github.com/aappleby/smhasher). */
function murmur2(bytes: Buffer): number {
  const wholeWords = bytes.length - (bytes.length % 4);
  let hash = SEED ^ bytes.length;
  for (let at = 0; at < wholeWords; at += 4) {
    const four = Math.imul(bytes.readInt32LE(at), M);
    hash = Math.imul(hash, M) ^ Math.imul(four ^ (four >>> 24), M);
  }
  if (bytes.length > wholeWords) hash = Math.imul(hash ^ bytes.readUIntLE(wholeWords, bytes.length - wholeWords), M);
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

/** A record and its topic, by full name. */
export interface TopicRecord {
  readonly topic: string;
  readonly record: ProducerRecord;
}

interface TopicPartitions {
  readonly metadata: PartitionMetadata[];
  /** Node IDs by partition. */
  readonly leaders: ReadonlyMap<number, number>;
}

/**
 * Remembers the partition metadata that kafkajs passes to the partitioner, and groups records by it. kafkajs reports one outcome
 * per call: a call that spans brokers fails although some of them appended their part.
 */
export class PartitionLeaders {
  private readonly topics = new Map<string, TopicPartitions>();
  private readonly choose = partitioner();

  readonly partitioner: ICustomPartitioner = () => (args) => {
    const { topic, partitionMetadata: metadata, message } = args;
    if (this.topics.get(topic)?.metadata !== metadata) {
      const leaders = new Map(metadata.map(({ partitionId, leader }) => [partitionId, leader]));
      this.topics.set(topic, { metadata, leaders });
    }
    message.partition ??= this.choose(args);
    return message.partition;
  };

  /** Groups records by the leader of their partition. Those of topics without metadata form a group. */
  byLeader<T extends TopicRecord>(records: readonly T[]): T[][] {
    return [...Map.groupBy(records, (record) => this.leaderOf(record)).values()];
  }

  /** Groups records by topic and partition. Those without a partition form a group. */
  byPartition<T extends TopicRecord>(records: readonly T[]): T[][] {
    const keyOf = ({ topic, record }: T) => record.partition !== undefined && `${topic} ${record.partition}`;
    return [...Map.groupBy(records, keyOf).values()];
  }

  private leaderOf({ topic, record }: TopicRecord): number | undefined {
    const known = this.topics.get(topic);
    if (known === undefined) return undefined;
    record.partition ??= this.choose({ topic, partitionMetadata: known.metadata, message: record });
    return known.leaders.get(record.partition);
  }
}
