import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from '../offsets.config.js';
import { OutboxPruner, OutboxRetention } from './outbox-pruner.js';
import { OutboxRelay, RelayQueue } from './outbox-relay.js';

/** The transactional outbox: outcomes are inserted with the decision and published by a relay. */
@Module({
  imports: [MetricsModule],
  providers: [
    RelayQueue,
    OutboxRelay,
    OutboxPruner,
    {
      provide: OutboxRetention,
      inject: [OFFSETS_CONFIG],
      useFactory: (config: OffsetsConfig) => new OutboxRetention(config.OUTBOX_RETENTION_DAYS),
    },
  ],
  exports: [RelayQueue, OutboxRelay, OutboxPruner],
})
export class OutboxModule {}
