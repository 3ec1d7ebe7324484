import { Module } from '@nestjs/common';
import { Consumers } from '../consumers.js';
import { Preference } from '../domain/preference.js';
import { EstimatesModule } from '../estimates/estimates.module.js';
import { KafkaClients } from '../infrastructure.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from '../offsets.config.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ReceiveController } from '../receive/receive.controller.js';
import { OffsetRecorder } from '../receive/record-offsets.js';
import { RecoveryModule } from '../recovery/recovery.module.js';
import { RequestPositionTracker } from '../recovery/request-position-tracker.js';
import { StartCheck } from '../recovery/start-check.js';
import { RegistryModule } from '../registry/registry.module.js';
import { SupplyModule } from '../supply/supply.module.js';
import { SupplyConsumer } from '../supply/supply-consumer.js';
import { Workers } from '../workers.js';
import { QueuedOffsets } from './queued-offsets.js';
import { AnswerRecorder } from './record-answers.js';
import { CreditReserver } from './reserve.js';
import { CreditRetirer, RetrySettings } from './retire.js';
import { SingleTransactionPath } from './single-transaction.js';
import { WakeSignals } from './wake-signal.js';

/** Consumes requests, allocates and retires credits. */
@Module({
  imports: [SupplyModule, RegistryModule, OutboxModule, EstimatesModule, RecoveryModule, MetricsModule],
  controllers: [ReceiveController],
  providers: [
    WakeSignals,
    QueuedOffsets,
    SingleTransactionPath,
    OffsetRecorder,
    CreditReserver,
    AnswerRecorder,
    CreditRetirer,
    Workers,
    { provide: Preference, inject: [OFFSETS_CONFIG], useFactory: (config: OffsetsConfig) => config.PREFERENCE },
    {
      provide: RetrySettings,
      inject: [OFFSETS_CONFIG],
      useFactory: (config: OffsetsConfig): RetrySettings => ({
        initialMs: config.REGISTRY_RETRY_MIN_MS,
        maxMs: config.REGISTRY_RETRY_MAX_MS,
        alarmAttempts: config.REGISTRY_ALARM_ATTEMPTS,
      }),
    },
    {
      provide: Consumers,
      inject: [KafkaClients, StartCheck, SupplyConsumer, RequestPositionTracker],
      useFactory: (kafka: KafkaClients, check: StartCheck, supply: SupplyConsumer, requests: RequestPositionTracker) =>
        new Consumers(kafka.create, check, supply, requests),
    },
  ],
  exports: [Consumers, WakeSignals],
})
export class FulfillmentModule {}
