import { Logger } from '@nestjs/common';

const logger = new Logger('ProcessExit');

/** Ends the process, so that a supervisor starts a new one from what the database and Kafka hold. */
export class ProcessExit {
  /** Logs the reason and exits with 1. @param reason its message says why, and what an operator must do */
  now(reason: Error): void {
    logger.error('This process ends, so that its supervisor starts a new one.', reason);
    process.exit(1);
  }
}

/** Kafka contradicts the database, or no longer has what the recovery needs: an operator must decide. The message says what to do. */
export class RecoveryStopped extends Error {
  override readonly name = 'RecoveryStopped';
}
