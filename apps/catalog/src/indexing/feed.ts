import type { Asset } from '@carbon/contracts';
import {
  type CommittedPosition,
  type KafkaBatchServer,
  type KafkaHandle,
  type PartitionEnds,
  type ReceivedBatch,
  type Rejected,
  startConsumer,
} from '@carbon/messaging';
import { messagesLeft } from './catch-up.js';
import type { Generation } from './generation.js';

/** The topic that is the asset library. */
export const LIBRARY_TOPIC = 'asset.published';
/** Also the most operations of one bulk write. */
const MAX_BATCH = 1_000;
/** Bulk writes at once: while one is answered, the next is fetched, read and sent. */
const PARTITIONS_AT_ONCE = 3;

/** Writes a batch into a generation. @returns what can never be written */
export type Ingest = (batch: ReceivedBatch<Asset>, into: Generation) => Promise<Rejected[]>;

/** One generation being fed by this instance, as a member of the generation's consumer group. */
export class Feed {
  private readonly server: KafkaBatchServer;

  /** @param ends the topic's when it began: what the generation must hold before it is searched */
  constructor(
    readonly generation: Generation,
    private readonly ends: readonly PartitionEnds[],
    kafka: KafkaHandle,
    ingest: Ingest,
  ) {
    const options = {
      groupId: generation.group,
      fromBeginning: true,
      maxBatch: MAX_BATCH,
      partitionsAtOnce: PARTITIONS_AT_ONCE,
    };
    this.server = startConsumer<Asset>(kafka, LIBRARY_TOPIC, options, (batch) => ingest(batch, generation));
  }

  /** Whether this instance is in the group and alive; for health. */
  get consuming(): boolean {
    return this.server.consuming;
  }

  /** Whether the group has taken all that stood on the topic when the feed began. */
  hasCaughtUp(committed: readonly CommittedPosition[]): boolean {
    return messagesLeft(this.ends, committed) === 0n;
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}
