import { createKafka, kafkaConnection, SelfClockedProducer } from '@carbon/messaging';
import { Health, type Logger, Metrics } from '@carbon/observability';
import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig, LOGGER } from '../gateway.config.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { IdempotencyCache } from './idempotency-cache.js';
import { IdempotencyLookup } from './idempotency-lookup.js';
import { OffsetLookup } from './offset-lookup.js';
import { OffsetsController } from './offsets.controller.js';
import { OffsetsService } from './offsets.service.js';

/** Creates, reads and lists offsets. */
@Module({
  imports: [UpstreamModule],
  controllers: [OffsetsController],
  providers: [
    OffsetsService,
    IdempotencyLookup,
    OffsetLookup,
    {
      provide: IdempotencyCache,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ REPLAY_RECENT, REPLAY_RECENT_MS }: GatewayConfig) =>
        new IdempotencyCache({ maxEntries: REPLAY_RECENT, ttlMs: REPLAY_RECENT_MS }),
    },
    { provide: SelfClockedProducer, inject: [GATEWAY_CONFIG, LOGGER, Metrics], useFactory: producer },
  ],
})
export class OffsetsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly producer: SelfClockedProducer,
    private readonly health: Health,
  ) {}

  onModuleInit(): void {
    this.producer.open();
    this.health.register('kafka', () => {
      if (!this.producer.connected) throw new Error('the producer is not connected');
    });
  }

  /** Called when the last request has been answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.producer.close();
  }
}

function producer(config: GatewayConfig, logger: Logger, metrics: Metrics): SelfClockedProducer {
  const { ACCEPT_IN_FLIGHT: inFlight, ACCEPT_TIMEOUT_MS: deadlineMs } = config;
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'gateway', logger, metrics });
  return new SelfClockedProducer(kafka, { inFlight, deadlineMs });
}
