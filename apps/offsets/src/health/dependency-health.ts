import { setTimeout as sleep } from 'node:timers/promises';
import { isKafkaReachable, type KafkaHandle, SelfClockedProducer } from '@carbon/messaging';
import { Health } from '@carbon/observability';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { Consumers } from '../consumers.js';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { KafkaClientFactory } from '../infrastructure.module.js';
import { Database } from '../persistence/database.js';
import { Registry } from '../registry/registry.js';

/** How long the start waits for a Kafka that does not respond. */
const KAFKA_WAIT_MS = 5_000;
const PROBE_EVERY_MS = 500;

/**
 * Registers the dependencies of the service. It is started once the database is migrated, both topics are consumed and the supply is
 * known; or without Kafka, to serve reads, which need the database alone.
 */
@Injectable()
export class DependencyHealth implements OnModuleInit, BeforeApplicationShutdown {
  /** Aborted when the start need not probe Kafka any more. */
  private readonly started = new AbortController();

  constructor(
    private readonly health: Health,
    private readonly database: Database,
    private readonly gate: ReadinessGate,
    private readonly producer: SelfClockedProducer,
    private readonly consumers: Consumers,
    private readonly registry: Registry,
    private readonly kafka: KafkaClientFactory,
  ) {}

  onModuleInit(): void {
    this.health.register('postgres', () => this.database.query('SELECT 1'));
    this.health.register('kafka', () => this.checkKafka());
    if (this.registry.isExternal) this.health.register('registry', () => this.registry.check());
    void this.database.ready.then(this.health.gate('a migrated database'));
    const { signal } = this.started;
    const unreachable = untilUnreachable(this.kafka.create(), signal);
    const gates = { 'its consumer groups': this.consumers.joined(), 'the supply': this.gate.opened };
    for (const [name, done] of Object.entries(gates))
      void Promise.race([done, unreachable]).then(this.health.gate(name));
    void Promise.all(Object.values(gates)).then(() => this.started.abort());
  }

  beforeApplicationShutdown(): void {
    this.started.abort();
  }

  private checkKafka(): void {
    if (!this.producer.connected) throw new Error('the producer is not connected');
    if (!this.consumers.consuming) throw new Error('a consumer is not consuming, or Kafka cannot be reached');
  }
}

/** Resolves once Kafka has not responded for KAFKA_WAIT_MS, or when the signal is aborted. */
async function untilUnreachable(kafka: KafkaHandle, signal: AbortSignal): Promise<void> {
  let respondedAt = performance.now();
  while (!signal.aborted && performance.now() - respondedAt < KAFKA_WAIT_MS) {
    if (await isKafkaReachable(kafka)) respondedAt = performance.now();
    await sleep(PROBE_EVERY_MS, undefined, { ref: false, signal }).catch(() => {});
  }
}
