import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '@carbon/http';
import { Logger } from '@nestjs/common';
import type { Bell } from './bell.js';

/** Does one bounded batch of work; says whether there may be more. */
export type Batch = () => Promise<boolean>;

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 1_000;

/**
 * Runs a step's batches one after the other: at once while there is more, else at the next ring, and now and then in any
 * case, since other processes leave work behind too. A failure is logged and tried again with back-off, without end.
 */
export class Worker {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private running: Promise<void> | undefined;
  private failures = 0;

  /** @param sweepMs how long it waits for the bell at most */
  constructor(
    name: string,
    private readonly batch: Batch,
    private readonly bell: Bell,
    private readonly sweepMs: number,
  ) {
    this.logger = new Logger(name);
  }

  start(): void {
    this.running ??= this.loop();
  }

  /** Begins nothing more; resolves when the batch at hand is done. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const more = await this.attempt();
      if (this.failures > 0) {
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.failures - 1), LAST_PAUSE_MS);
        await sleep(pause, undefined, { signal }).catch(() => {});
      } else if (!more) {
        await this.bell.wait(this.sweepMs, signal);
      }
    }
  }

  private async attempt(): Promise<boolean> {
    try {
      const more = await this.batch();
      this.failures = 0;
      return more;
    } catch (error) {
      this.failures += 1;
      if (error instanceof TransientError) this.logger.warn('Work waits for an outage to pass.', error);
      else this.logger.error('Work failed; it is tried again.', error);
      return false;
    }
  }
}
