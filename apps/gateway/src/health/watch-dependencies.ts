import { SelfClockedProducer } from '@carbon/messaging';
import { Health } from '@carbon/observability';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Catalog } from '../assets/catalog.js';
import { OffsetsService } from '../offsets/offsets-service.js';

/** Tells health whom the gateway depends on. It stays ready while any of them answers, for each serves other routes. */
@Injectable()
export class WatchDependencies implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly producer: SelfClockedProducer,
    private readonly offsets: OffsetsService,
    private readonly catalog: Catalog,
  ) {}

  onModuleInit(): void {
    this.health.register('kafka', () => this.checkKafka());
    this.health.register('offsets', () => this.offsets.probe());
    this.health.register('catalog', () => this.catalog.probe());
  }

  private checkKafka(): void {
    if (!this.producer.connected) throw new Error('the producer is not connected');
  }
}
