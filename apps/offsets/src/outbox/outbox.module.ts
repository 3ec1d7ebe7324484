import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { OutboxRelay, RelayQueue } from './outbox-relay.js';

/** The transactional outbox: outcomes are inserted with the decision and published by a relay. */
@Module({
  imports: [MetricsModule],
  providers: [RelayQueue, OutboxRelay],
  exports: [RelayQueue, OutboxRelay],
})
export class OutboxModule {}
