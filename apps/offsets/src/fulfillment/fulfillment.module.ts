import { Module } from '@nestjs/common';
import { Consumers } from '../consumers.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ReceiveController } from '../receive/receive.controller.js';
import { OffsetRecorder } from '../receive/record-offsets.js';
import { RecoveryModule } from '../recovery/recovery.module.js';
import { RegistryModule } from '../registry/registry.module.js';
import { SupplyModule } from '../supply/supply.module.js';
import { Workers } from '../workers.js';
import { QueuedOffsets } from './queued-offsets.js';
import { AnswerRecorder } from './record-answers.js';
import { CreditReserver } from './reserve.js';
import { CreditRetirer } from './retire.js';
import { SingleTransactionPath } from './single-transaction.js';
import { WakeSignals } from './wake-signal.js';

/** Consumes requests, allocates and retires credits. */
@Module({
  imports: [SupplyModule, RegistryModule, OutboxModule, RecoveryModule, MetricsModule],
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
    Consumers,
  ],
  exports: [Consumers, WakeSignals],
})
export class FulfillmentModule {}
