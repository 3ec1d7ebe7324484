import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Wakes a worker of the same process. A notification without a waiting worker is kept once, so work that is written between
 * the worker's query and its wait is not missed. Work of other processes is found by the worker's own interval.
 */
export class WakeSignal {
  private isNotified = false;
  private waiting: AbortController | undefined;

  notify(): void {
    this.isNotified = true;
    this.waiting?.abort();
  }

  /** Resolves at the next notification, after `milliseconds`, or when the signal aborts. Never rejects. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.isNotified) {
      this.waiting = new AbortController();
      const ended = AbortSignal.any([signal, this.waiting.signal]);
      await sleep(milliseconds, undefined, { signal: ended }).catch(() => {});
      this.waiting = undefined;
    }
    this.isNotified = false;
  }
}

/** The wake signals between the workers of one process. */
export class WakeSignals {
  /** Offsets were recorded as queued. */
  readonly queued = new WakeSignal();
  /** Credits were reserved, or there is room for more calls to the registry. */
  readonly reserved = new WakeSignal();
  /** Events were added to the outbox. */
  readonly decided = new WakeSignal();
}
