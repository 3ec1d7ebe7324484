import type { Asset } from '@carbon/contracts';
import {
  type Batch,
  type CommittedPosition,
  deleteGroup,
  type KafkaBatchServer,
  type KafkaHandle,
  type PartitionEnds,
  type RejectedMessage,
  startConsumer,
} from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { Generation } from './generation.js';
import { consumerLag, LIBRARY_TOPIC } from './topic-progress.js';

/** The injection token of the connection to Kafka. */
export const KAFKA = Symbol('KAFKA');
/** Also the maximum number of operations in one bulk write. */
const MAX_BATCH_SIZE = 1_000;
/** Concurrent bulk writes: while OpenSearch answers one, the next is fetched, parsed and sent. */
const CONCURRENT_PARTITIONS = 3;

/** Writes a batch to a generation. @returns the messages that can never be indexed */
export type WriteBatch = (batch: Batch<Asset>, generation: Generation) => Promise<RejectedMessage[]>;

/** This instance's membership in the consumer group of one generation. */
export class GenerationConsumer {
  private readonly server: KafkaBatchServer;

  /** @param ends the topic's when the consumer started: the generation must have consumed everything before them when it goes live */
  constructor(
    readonly generation: Generation,
    private readonly ends: readonly PartitionEnds[],
    kafka: KafkaHandle,
    write: WriteBatch,
  ) {
    const options = {
      groupId: generation.group,
      maxBatch: MAX_BATCH_SIZE,
      concurrentPartitions: CONCURRENT_PARTITIONS,
    };
    this.server = startConsumer<Asset>(kafka, LIBRARY_TOPIC, options, (batch) => write(batch, generation));
  }

  /** Whether this instance is in the group. */
  get consuming(): boolean {
    return this.server.consuming;
  }

  /** Whether the group has consumed everything that was on the topic when this consumer started. */
  hasCaughtUp(committed: readonly CommittedPosition[]): boolean {
    return consumerLag(this.ends, committed) === 0n;
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}

/** The consumers of this instance, one per generation. */
export class GenerationConsumers {
  private readonly logger = new Logger('indexing');
  private readonly byGroup = new Map<string, GenerationConsumer>();
  private isClosed = false;

  constructor(
    private readonly kafka: KafkaHandle,
    private readonly write: WriteBatch,
  ) {}

  of(generation: Generation | undefined): GenerationConsumer | undefined {
    return generation && this.byGroup.get(generation.group);
  }

  /** Runs one consumer for each of these generations. Stops the others, whose indices are gone, and deletes their groups. */
  async follow(generations: readonly Generation[], ends: readonly PartitionEnds[]): Promise<void> {
    if (this.isClosed) return;
    for (const generation of generations) {
      if (this.byGroup.has(generation.group)) continue;
      this.byGroup.set(generation.group, new GenerationConsumer(generation, ends, this.kafka, this.write));
      this.logger.log('Filling a generation', { generation: generation.name, group: generation.group });
    }
    const groups = new Set(generations.map(({ group }) => group));
    const others = [...this.byGroup].filter(([group]) => !groups.has(group));
    await Promise.all(others.map(([group, consumer]) => this.end(group, consumer)));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.byGroup.values()].map((consumer) => consumer.close()));
  }

  private async end(group: string, consumer: GenerationConsumer): Promise<void> {
    this.byGroup.delete(group);
    await consumer.close();
    this.logger.log('Stopped filling a deleted generation', { generation: consumer.generation.name });
    await deleteGroup(this.kafka, group);
  }
}
