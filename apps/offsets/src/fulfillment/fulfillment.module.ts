import { Module } from '@nestjs/common';
import { Consumers } from '../consumers.js';
import { Preference } from '../domain/preference.js';
import { EstimatesModule } from '../estimates/estimates.module.js';
import { KafkaClients } from '../infrastructure.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from '../offsets.config.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ReceiveController } from '../receive/receive.controller.js';
import { RecordOffsets } from '../receive/record-offsets.js';
import { RecoveryModule } from '../recovery/recovery.module.js';
import { RequestPositionTracker } from '../recovery/request-position-tracker.js';
import { StartCheck } from '../recovery/start-check.js';
import { AskRegistry, AskSettings } from '../registry/ask-registry.js';
import { RegistryModule } from '../registry/registry.module.js';
import { SupplyModule } from '../supply/supply.module.js';
import { SupplyFollower } from '../supply/supply-follower.js';
import { Bells } from './bell.js';
import { ReserveCredits } from './reserve-credits.js';
import { RetireOffsets } from './retire-offsets.js';
import { SettleAnswers } from './settle-answers.js';
import { StraightThrough } from './straight-through.js';
import { Workers } from './workers.js';

/** Consumes requests, allocates and retires credits. */
@Module({
  imports: [SupplyModule, RegistryModule, OutboxModule, EstimatesModule, RecoveryModule, MetricsModule],
  controllers: [ReceiveController],
  providers: [
    Bells,
    StraightThrough,
    RecordOffsets,
    ReserveCredits,
    SettleAnswers,
    AskRegistry,
    RetireOffsets,
    Workers,
    { provide: Preference, inject: [OFFSETS_CONFIG], useFactory: (config: OffsetsConfig) => config.PREFERENCE },
    {
      provide: AskSettings,
      inject: [OFFSETS_CONFIG],
      useFactory: ({ REGISTRY_RETRY_MIN_MS, REGISTRY_RETRY_MAX_MS, REGISTRY_ALARM_ATTEMPTS }: OffsetsConfig) => ({
        firstMs: REGISTRY_RETRY_MIN_MS,
        lastMs: REGISTRY_RETRY_MAX_MS,
        alarmAttempts: REGISTRY_ALARM_ATTEMPTS,
      }),
    },
    {
      provide: Consumers,
      inject: [KafkaClients, StartCheck, SupplyFollower, RequestPositionTracker],
      useFactory: (kafka: KafkaClients, check: StartCheck, supply: SupplyFollower, requests: RequestPositionTracker) =>
        new Consumers(kafka.create, check, supply, requests),
    },
  ],
  exports: [Consumers],
})
export class FulfillmentModule {}
