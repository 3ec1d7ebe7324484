import { Logger } from '@nestjs/common';

/** Ends the process, so that a supervisor starts a new one from what the database and Kafka hold. Also the Nest token. */
export abstract class ProcessExit {
  /** @param reason its message says why, and what an operator must do */
  abstract now(reason: Error): void;
}

/** Logs the reason and exits with 1. */
export class SupervisedExit extends ProcessExit {
  private readonly logger = new Logger('ProcessExit');

  now(reason: Error): void {
    this.logger.error('This process ends, so that its supervisor starts a new one.', reason);
    process.exit(1);
  }
}

/** Kafka contradicts the database, or does not suffice: an operator must decide. The message says what to do. */
export class RecoveryStopped extends Error {
  override readonly name = 'RecoveryStopped';
}
