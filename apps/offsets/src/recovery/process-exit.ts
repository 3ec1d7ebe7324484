import { Logger } from '@nestjs/common';

/** Ends the process, so that a supervisor starts one that begins from what the database and Kafka hold. Also the Nest token. */
export abstract class ProcessExit {
  /** The sentence that says why, and what to do where somebody must, is in `reason`. */
  abstract now(reason: Error): void;
}

/** Logs the reason and exits with 1. */
export class SupervisedExit extends ProcessExit {
  private readonly logger = new Logger('ProcessExit');

  now(reason: Error): void {
    this.logger.error('This process ends, so that another one begins.', reason);
    process.exit(1);
  }
}
