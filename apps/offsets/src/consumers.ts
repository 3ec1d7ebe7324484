import { setTimeout as sleep } from 'node:timers/promises';
import { connectKafka, KafkaBatchServer, type KafkaHandle } from '@carbon/messaging';
import { type BeforeApplicationShutdown, type INestApplication, Logger } from '@nestjs/common';
import { REQUEST_TOPICS } from './receive/request-schema.js';
import { FollowSupply } from './supply/follow-supply.js';
import { ASSETS, groupOf } from './supply/reading.js';

const LOOK_EVERY_MS = 100;

/** The two groups this service is in. kafkajs shares positions among the consumers of one client, so each has its own. */
export class Consumers implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Consumers.name);
  private readonly requests: KafkaBatchServer;
  private assets: KafkaBatchServer | undefined;
  private stopping = false;

  constructor(
    private readonly newKafka: () => KafkaHandle,
    private readonly followSupply: FollowSupply,
  ) {
    this.requests = new KafkaBatchServer(newKafka(), {
      groupId: 'offsets.requests',
      handles: ['offset.requested'],
      topics: REQUEST_TOPICS,
    });
  }

  /** To be called before the app starts. The assets' group is known only when database and Kafka have been asked. */
  connect(app: INestApplication): void {
    connectKafka(app, this.requests);
    void this.followSupply.reading.then(async (reading) => {
      if (this.stopping) return;
      this.assets = new KafkaBatchServer(this.newKafka(), { groupId: groupOf(reading), handles: [ASSETS] });
      await connectKafka(app, this.assets).listen();
      this.logger.log('Following the assets.', { group: groupOf(reading) });
    });
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** Whether both groups are joined and alive. */
  get consuming(): boolean {
    return this.requests.consuming && this.assets?.consuming === true;
  }

  /** Resolves when both groups have been joined for the first time. */
  async joined(): Promise<void> {
    while (!this.consuming && !this.stopping) await sleep(LOOK_EVERY_MS);
  }
}
