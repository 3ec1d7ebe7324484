import { SelfClockedProducer } from '@carbon/messaging';
import { Health } from '@carbon/observability';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { Consumers } from '../consumers.js';
import { SupplyGate } from '../fulfillment/readiness-gate.js';
import { Database } from '../persistence/database.js';
import { Registry } from '../registry/registry.js';
import { KafkaReach } from './kafka-reach.js';

/** How long the start waits for a Kafka that is out of reach. */
const KAFKA_WAIT_MS = 5_000;

/**
 * Tells health what the service needs: it has started up once the database is migrated, both topics are being consumed and
 * the supply is known. Without Kafka it starts up as well, to serve reads, which need the database alone.
 */
@Injectable()
export class WatchDependencies implements OnModuleInit, BeforeApplicationShutdown {
  /** Given when the start needs to look for Kafka no more. */
  private readonly settled = new AbortController();

  constructor(
    private readonly health: Health,
    private readonly database: Database,
    private readonly gate: SupplyGate,
    private readonly producer: SelfClockedProducer,
    private readonly consumers: Consumers,
    private readonly registry: Registry,
    private readonly reach: KafkaReach,
  ) {}

  onModuleInit(): void {
    this.health.register('postgres', () => this.database.query('SELECT 1'));
    this.health.register('kafka', () => this.checkKafka());
    if (this.registry.isExternal) this.health.register('registry', () => this.registry.check());
    void this.database.ready.then(this.health.gate('a migrated database'));
    this.awaitKafka();
  }

  beforeApplicationShutdown(): void {
    this.settled.abort();
  }

  private awaitKafka(): void {
    const ways: readonly (readonly [string, Promise<void>])[] = [
      ['its consumer groups', this.consumers.joined()],
      ['the supply', this.gate.opened],
    ];
    const { signal } = this.settled;
    const lost = this.reach.lost(KAFKA_WAIT_MS, signal);
    for (const [name, done] of ways) void Promise.race([done, lost]).then(this.health.gate(name));
    void Promise.all(ways.map(([, done]) => done)).then(() => this.settled.abort());
  }

  private checkKafka(): void {
    if (!this.producer.connected) throw new Error('the producer is not connected');
    if (!this.consumers.consuming) throw new Error('a consumer is not in its group');
  }
}
