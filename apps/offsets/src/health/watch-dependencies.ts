import { SelfClockedProducer } from '@carbon/messaging';
import { Health } from '@carbon/observability';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Consumers } from '../consumers.js';
import { SupplyGate } from '../pace/gate.js';
import { Database } from '../persistence/database.js';
import { Registry } from '../retire/registry.js';

/**
 * Tells health what the service needs: it has started up once the database is migrated, both topics are being consumed and
 * the supply is known.
 */
@Injectable()
export class WatchDependencies implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly database: Database,
    private readonly gate: SupplyGate,
    private readonly producer: SelfClockedProducer,
    private readonly consumers: Consumers,
    private readonly registry: Registry,
  ) {}

  onModuleInit(): void {
    this.health.register('postgres', () => this.database.query('SELECT 1'));
    this.health.register('kafka', () => this.checkKafka());
    if (!this.registry.isAtHand) this.health.register('registry', () => this.registry.check());
    void this.database.ready.then(this.health.gate('a migrated database'));
    void this.consumers.joined().then(this.health.gate('its consumer groups'));
    void this.gate.opened.then(this.health.gate('the supply'));
  }

  private checkKafka(): void {
    if (!this.producer.connected) throw new Error('the producer is not connected');
    if (!this.consumers.consuming) throw new Error('a consumer is not in its group');
  }
}
