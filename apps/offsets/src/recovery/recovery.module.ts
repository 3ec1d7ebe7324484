import { Module } from '@nestjs/common';
import { Recovery } from './recovery.js';
import { RequestPositionTracker } from './request-position-tracker.js';
import { StartCheck } from './start-check.js';

/** Compares PostgreSQL with Kafka at the start and while running, and recovers what a restored database lacks. */
@Module({
  providers: [Recovery, StartCheck, RequestPositionTracker],
  exports: [StartCheck, RequestPositionTracker],
})
export class RecoveryModule {}
