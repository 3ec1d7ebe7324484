import { Module } from '@nestjs/common';
import { KafkaClientFactory, RecoveryOverrides } from '../infrastructure.module.js';
import { Database } from '../persistence/database.js';
import { OutcomePositions } from '../persistence/outcome-positions.js';
import { ProcessExit } from './process-exit.js';
import { Recovery } from './recovery.js';
import { RequestPositionTracker } from './request-position-tracker.js';
import { StartCheck } from './start-check.js';

/** Compares PostgreSQL with Kafka at the start and while running, and recovers what a restored database lacks. */
@Module({
  providers: [
    {
      provide: StartCheck,
      inject: [Database, KafkaClientFactory, OutcomePositions, ProcessExit, RecoveryOverrides],
      useFactory: (
        database: Database,
        clients: KafkaClientFactory,
        positions: OutcomePositions,
        exit: ProcessExit,
        { lastSendMs }: RecoveryOverrides,
      ) => {
        const kafka = clients.create();
        return new StartCheck(database, kafka, positions, new Recovery(database, kafka, lastSendMs), exit);
      },
    },
    RequestPositionTracker,
  ],
  exports: [StartCheck, RequestPositionTracker],
})
export class RecoveryModule {}
