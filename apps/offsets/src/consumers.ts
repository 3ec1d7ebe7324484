import { setTimeout as sleep } from 'node:timers/promises';
import { connectKafka, KafkaBatchServer, type KafkaHandle } from '@carbon/messaging';
import type { BeforeApplicationShutdown, INestApplication } from '@nestjs/common';
import { REQUEST_TOPICS } from './receive/request-schema.js';
import type { FollowRequests } from './recovery/follow-requests.js';
import { REQUESTS, REQUESTS_GROUP } from './recovery/look-at-requests.js';
import type { StartCheck } from './recovery/start-check.js';
import type { FollowSupply } from './supply/follow-supply.js';
import { ASSETS, groupOf } from './supply/reading.js';

const LOOK_EVERY_MS = 100;
/** The more are completed in one transaction, the less its statements, and waiting for the supply, cost each of them. */
const MOST_REQUESTS = 1_000;

/** The two groups this service is in. kafkajs shares positions among the consumers of one client, so each has its own. */
export class Consumers implements BeforeApplicationShutdown {
  private readonly requests: KafkaBatchServer;
  private assets: KafkaBatchServer | undefined;
  private stopping = false;

  constructor(
    private readonly newKafka: () => KafkaHandle,
    private readonly startCheck: StartCheck,
    private readonly followSupply: FollowSupply,
    { findStartPositions, storePosition }: FollowRequests,
  ) {
    this.requests = new KafkaBatchServer(newKafka(), {
      groupId: REQUESTS_GROUP,
      handles: [REQUESTS],
      topics: REQUEST_TOPICS,
      findStartPositions,
      storePosition,
      maxBatch: MOST_REQUESTS,
    });
  }

  /**
   * To be called before the app starts. Requests are taken once the database holds what was announced; the assets' group
   * is known only when Kafka has been asked as well.
   */
  connect(app: INestApplication): void {
    void this.startCheck.passed.then(() => this.listen(app, this.requests));
    void this.followSupply.reading.then((reading) => {
      const { storePosition } = this.followSupply;
      this.assets = new KafkaBatchServer(this.newKafka(), {
        groupId: groupOf(reading),
        handles: [ASSETS],
        storePosition,
      });
      return this.listen(app, this.assets);
    });
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private async listen(app: INestApplication, server: KafkaBatchServer): Promise<void> {
    if (!this.stopping) await connectKafka(app, server).listen();
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
