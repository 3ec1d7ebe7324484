import { Module } from '@nestjs/common';
import { SupplyGate } from '../fulfillment/readiness-gate.js';
import { KafkaClients } from '../infrastructure.module.js';
import { Database } from '../persistence/database.js';
import { ProcessExit } from '../recovery/process-exit.js';
import { SupplyController } from './supply.controller.js';
import { SupplyFollower } from './supply-follower.js';

/** The supply of every asset, from `asset.published`, and the readiness gate of allocation. */
@Module({
  controllers: [SupplyController],
  providers: [
    SupplyGate,
    {
      provide: SupplyFollower,
      inject: [Database, KafkaClients, SupplyGate, ProcessExit],
      useFactory: (database: Database, kafka: KafkaClients, gate: SupplyGate, exit: ProcessExit) =>
        new SupplyFollower(database, kafka.create(), gate, exit),
    },
  ],
  exports: [SupplyGate, SupplyFollower],
})
export class SupplyModule {}
