import { forgetGroup, type KafkaHandle, type PartitionEnds } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import { Feed, type Ingest } from './feed.js';
import type { Generation } from './generation.js';

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
    await forgetGroup(this.kafka, group);
  }
}
