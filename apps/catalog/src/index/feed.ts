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

/** How many messages of the topic, as it was, the group has yet to take; an empty partition counts as taken. */
export function messagesLeft(ends: readonly PartitionEnds[], committed: readonly CommittedPosition[]): bigint {
  const positions = new Map(committed.map(({ partition, position }) => [partition, position]));
  return ends.reduce((left, { partition, begin, end }) => {
    const position = positions.get(partition) ?? begin;
    return position < end ? left + end - position : left;
  }, 0n);
}

/** The positions as far as the topic still goes: it may have lost its tail since they were reached. */
export function withinEnds(
  committed: readonly CommittedPosition[],
  ends: readonly PartitionEnds[],
): CommittedPosition[] {
  const last = new Map(ends.map(({ partition, end }) => [partition, end]));
  return committed.map(({ partition, position }) => {
    const end = last.get(partition) ?? 0n;
    return { partition, position: position !== undefined && position > end ? end : position };
  });
}

/** Whether one group has come as far as another on every partition. */
export function hasPassed(one: readonly CommittedPosition[], other: readonly CommittedPosition[]): boolean {
  const positions = new Map(one.map(({ partition, position }) => [partition, position]));
  return other.every(({ partition, position = 0n }) => (positions.get(partition) ?? 0n) >= position);
}

/** The topic that is the asset library. */
export const LIBRARY_TOPIC = 'asset.published';
/** Also the most operations of one bulk write. */
const MAX_BATCH = 1_000;
/** Bulk writes at once: while one is answered, the next is fetched, read and sent. */
const PARTITIONS_AT_ONCE = 3;

/** Writes a batch into a generation. @returns what can never be written */
export type Ingest = (batch: Batch<Asset>, into: Generation) => Promise<RejectedMessage[]>;

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

/** The generations that this instance feeds, by consumer group. */
export class Feeds {
  private readonly logger = new Logger('indexing');
  private readonly running = new Map<string, Feed>();
  private closed = false;

  constructor(
    private readonly kafka: KafkaHandle,
    private readonly ingest: Ingest,
  ) {}

  /** The feed of a generation. */
  of(generation: Generation | undefined): Feed | undefined {
    return generation && this.running.get(generation.group);
  }

  /** Feeds these from now on, and no others: the others are gone, so their groups go as well. */
  async follow(generations: readonly Generation[], ends: readonly PartitionEnds[]): Promise<void> {
    if (this.closed) return;
    for (const generation of generations) {
      if (this.running.has(generation.group)) continue;
      this.running.set(generation.group, new Feed(generation, ends, this.kafka, this.ingest));
      this.logger.log('A generation is being fed', { generation: generation.name, group: generation.group });
    }
    const groups = new Set(generations.map(({ group }) => group));
    await Promise.all(
      [...this.running].filter(([group]) => !groups.has(group)).map(([group, feed]) => this.end(group, feed)),
    );
  }

  /** Leaves all groups, and joins no more. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.running.values()].map((feed) => feed.close()));
  }

  private async end(group: string, feed: Feed): Promise<void> {
    this.running.delete(group);
    await feed.close();
    this.logger.log('A generation is gone and no longer fed', { generation: feed.generation.name });
    await deleteGroup(this.kafka, group);
  }
}
