import { setTimeout as sleep } from 'node:timers/promises';
import { connectKafka, KafkaBatchServer } from '@carbon/messaging';
import { type BeforeApplicationShutdown, type INestApplication, Injectable } from '@nestjs/common';
import { KafkaClientFactory } from './infrastructure.module.js';
import { REQUEST_TOPICS } from './receive/requests.js';
import { RequestPositionTracker } from './recovery/request-position-tracker.js';
import { REQUESTS, REQUESTS_GROUP } from './recovery/request-positions.js';
import { StartCheck } from './recovery/start-check.js';
import { SupplyConsumer } from './supply/supply-consumer.js';
import { ASSETS, groupOf } from './supply/supply-rebuild.js';

const POLL_MS = 100;
/** A larger batch shares the statements of its transaction, and the wait for the supply, among more offsets. */
const MAX_BATCH_SIZE = 1_000;
/** As many as the topic has by default: all partitions of a fetch share a transaction, a statement for positions, and a commit. */
const CONCURRENT_PARTITIONS = 12;

/**
 * The two consumer groups of this service. kafkajs shares positions among the consumers of one client, so each has its
 * own client.
 */
@Injectable()
export class Consumers implements BeforeApplicationShutdown {
  private readonly requests: KafkaBatchServer;
  private assets: KafkaBatchServer | undefined;
  private stopping = false;

  constructor(
    private readonly kafka: KafkaClientFactory,
    private readonly startCheck: StartCheck,
    private readonly supply: SupplyConsumer,
    { findStartPositions, storePosition }: RequestPositionTracker,
  ) {
    this.requests = new KafkaBatchServer(kafka.create(), {
      groupId: REQUESTS_GROUP,
      topic: REQUESTS,
      topics: REQUEST_TOPICS,
      findStartPositions,
      storePosition,
      maxBatch: MAX_BATCH_SIZE,
      concurrentPartitions: CONCURRENT_PARTITIONS,
    });
  }

  /**
   * Must be called before the app starts. Requests are consumed once the database holds every published outcome; the
   * group of the assets is known once Kafka has responded.
   */
  connect(app: INestApplication): void {
    void this.startCheck.passed.then(() => this.listen(app, this.requests));
    void this.supply.rebuild.then((rebuild) => {
      const { storePosition } = this.supply;
      this.assets = new KafkaBatchServer(this.kafka.create(), {
        groupId: groupOf(rebuild),
        topic: ASSETS,
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

  /** Whether both groups are joined. */
  get consuming(): boolean {
    return this.requests.consuming && this.assets?.consuming === true;
  }

  /** Resolves when both groups are joined for the first time. */
  async joined(): Promise<void> {
    while (!this.consuming && !this.stopping) await sleep(POLL_MS);
  }
}
