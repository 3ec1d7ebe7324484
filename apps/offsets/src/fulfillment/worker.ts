import { TransientError } from '@carbon/http';
import { backoffMs, sleep } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { WakeSignal } from './wake-signal.js';

/** Does one bounded batch of work; returns whether there may be more. */
export type Batch = () => Promise<boolean>;

const BACKOFF = { initialMs: 100, maxMs: 1_000 };

/**
 * Runs batches one after the other: at once while there is more, else at the next wake signal, and at an interval in any case,
 * because other processes create work as well. A failure is logged and retried with backoff, without end.
 */
export class Worker {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private running: Promise<void> | undefined;
  private failures = 0;

  /** @param intervalMs how long the worker waits for the signal at most */
  constructor(
    name: string,
    private readonly batch: Batch,
    private readonly signal: WakeSignal,
    private readonly intervalMs: number,
  ) {
    this.logger = new Logger(name);
  }

  start(): void {
    this.running ??= this.loop();
  }

  /** Starts no further batch; resolves when the current one is done. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const more = await this.attempt();
      if (this.failures > 0) {
        await sleep(backoffMs(this.failures, BACKOFF), signal);
      } else if (!more) {
        await this.signal.wait(this.intervalMs, signal);
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
      if (error instanceof TransientError) this.logger.warn('Work is paused during an outage.', error);
      else this.logger.error('Work failed; it is retried.', error);
      return false;
    }
  }
}
