import type { EachBatchPayload } from 'kafkajs';
import type { PartitionOwnership } from './partition-ownership.js';
import { SharedBatches } from './shared-batches.js';

/** A chunk of a batch that is handled. */
export interface HandledChunk {
  readonly payload: EachBatchPayload;
  readonly ownership: PartitionOwnership;
  /** The position after the chunk. */
  readonly next: bigint;
}

/** The maximum number of partitions in one request: more than any consumer is assigned. */
const MAX_SIZE = 10_000;

/** Commits positions of one consumer to Kafka, in one request at a time: partitions that are handled meanwhile share the next one. */
export class PositionCommits {
  private readonly batches = new SharedBatches(MAX_SIZE, commitTogether);

  /**
   * Resolves when the position is committed.
   * @throws PartitionRevoked when the chunk belongs to an earlier assignment; if that changed while the request was in flight, the
   * position may have been committed
   */
  async commit(chunk: HandledChunk): Promise<void> {
    await this.batches.submit([chunk]);
    chunk.ownership.checkGeneration();
  }
}

/** Not `consumer.commitOffsets`, which does nothing once the consumer is stopping: finished work would be done again. */
async function commitTogether(chunks: readonly HandledChunk[]): Promise<void> {
  const owned = chunks.filter(({ ownership }) => ownership.isOfThisGeneration);
  const [first] = owned;
  if (first === undefined) return;
  const topics = Map.groupBy(owned, ({ payload }) => payload.batch.topic);
  await first.payload.commitOffsetsIfNecessary({
    topics: [...topics].map(([topic, ofTopic]) => ({
      topic,
      partitions: ofTopic.map(({ payload, next }) => ({ partition: payload.batch.partition, offset: String(next) })),
    })),
  });
}
