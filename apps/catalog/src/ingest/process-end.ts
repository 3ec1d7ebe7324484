import { Logger } from '@nestjs/common';

/** Ends this process because it cannot go on and a fresh one can. Its supervisor starts that one. */
export class ProcessEnd {
  private readonly logger = new Logger('catalog');

  constructor(private readonly exit: (code: number) => void = process.exit) {}

  because(error: Error): void {
    this.logger.fatal('This process cannot go on; a fresh one can', error);
    this.exit(1);
  }
}
