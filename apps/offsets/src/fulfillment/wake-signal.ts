import { sleep } from '@carbon/messaging';

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
      await sleep(milliseconds, AbortSignal.any([signal, this.waiting.signal]));
      this.waiting = undefined;
    }
    this.isNotified = false;
  }
}

/** Wakes the lookups of this process that wait for an offset. Rows that other processes record are found by polling. */
export class RecordedSignal {
  private readonly lookups = new Map<string, Set<() => void>>();

  /** Must be called after the commit. */
  notify(ids: Iterable<string>): void {
    if (this.lookups.size === 0) return;
    for (const id of ids) for (const wake of this.lookups.get(id) ?? []) wake();
  }

  /** Resolves when the offset is recorded, or after `milliseconds`. */
  wait(id: string, milliseconds: number): Promise<void> {
    const lookups = this.lookups.get(id) ?? new Set();
    this.lookups.set(id, lookups);
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        lookups.delete(wake);
        if (lookups.size === 0) this.lookups.delete(id);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      lookups.add(wake);
    });
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
  /** Offsets were recorded, in any state. */
  readonly recorded = new RecordedSignal();
}
