import { Module } from '@nestjs/common';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { KafkaClients } from '../infrastructure.module.js';
import { Database } from '../persistence/database.js';
import { ProcessExit } from '../recovery/process-exit.js';
import { SupplyController } from './supply.controller.js';
import { SupplyConsumer } from './supply-consumer.js';

/** The supply of every asset, from `asset.published`, and the readiness gate of allocation. */
@Module({
  controllers: [SupplyController],
  providers: [
    ReadinessGate,
    {
      provide: SupplyConsumer,
      inject: [Database, KafkaClients, ReadinessGate, ProcessExit],
      useFactory: (database: Database, kafka: KafkaClients, gate: ReadinessGate, exit: ProcessExit) =>
        new SupplyConsumer(database, kafka.create(), gate, exit),
    },
  ],
  exports: [ReadinessGate, SupplyConsumer],
})
export class SupplyModule {}
