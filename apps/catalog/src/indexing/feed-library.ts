import { setTimeout as sleep } from 'node:timers/promises';
import { committedPositions, connectKafka, endsOf, KafkaBatchServer, type KafkaHandle } from '@carbon/messaging';
import type { Health } from '@carbon/observability';
import { type BeforeApplicationShutdown, type INestApplication, Logger, type OnModuleInit } from '@nestjs/common';
import { messagesLeft } from './catch-up.js';
import type { Generation } from './generation.js';
import type { LibraryIndex } from './library-index.js';
import { tryUntilDone } from './try-until-done.js';

const TOPIC = 'asset.published';
/** Also the most operations of one bulk write. */
const MAX_BATCH = 1_000;
const LOOK_EVERY_MS = 250;

/**
 * The start of the catalog, in the background while it already answers: open a generation, consume the topic into it, and
 * once all that stood on the topic at the start is in it, let searches go to it. Whatever is away is waited for.
 */
export class FeedLibrary implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('indexing');
  private readonly stop = new AbortController();
  private running: Promise<void> | undefined;
  private server: KafkaBatchServer | undefined;
  private openGate = () => {};

  constructor(
    private readonly library: LibraryIndex,
    private readonly kafka: KafkaHandle,
    private readonly health: Health,
  ) {}

  /** Whether this instance is in its generation's consumer group; for health. */
  get consuming(): boolean {
    return this.server?.consuming ?? false;
  }

  onModuleInit(): void {
    this.openGate = this.health.gate('library');
  }

  /** Begins. To be called when `app` listens; the consumer becomes a part of it, and closes with it. */
  start(app: INestApplication): void {
    this.running ??= this.run(app).then(this.openGate, (error: unknown) => {
      if (!this.stop.signal.aborted) throw error;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.running;
  }

  private async run(app: INestApplication): Promise<void> {
    const { signal } = this.stop;
    const generation = await tryUntilDone('open the indices', () => this.library.open(), signal);
    const ends = await tryUntilDone('read the ends of the topic', () => endsOf(this.kafka, TOPIC), signal);
    await this.consume(app, generation);
    await this.caughtUp(generation, ends);
    await tryUntilDone('set the aliases', () => this.library.goLive(), signal);
    this.logger.log('The library can be searched', { generation: generation.group });
  }

  private async consume(app: INestApplication, { group }: Generation): Promise<void> {
    this.server = new KafkaBatchServer(this.kafka, { groupId: group, fromBeginning: true, maxBatch: MAX_BATCH });
    await connectKafka(app, this.server).listen();
  }

  private async caughtUp({ group }: Generation, ends: Awaited<ReturnType<typeof endsOf>>): Promise<void> {
    const { signal } = this.stop;
    const committed = () => committedPositions(this.kafka, group, TOPIC);
    while (messagesLeft(ends, await tryUntilDone('read the positions', committed, signal)) > 0n) {
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  }
}
