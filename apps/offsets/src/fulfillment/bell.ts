/**
 * Wakes whoever waits for work in the same process. Ringing while nobody waits is remembered once, so nothing that was
 * written between looking and waiting is slept over; work written by other processes is found by the sweep.
 */
export class Bell {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Resolves at the next ring, after `milliseconds`, or when the signal aborts. Never rejects. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', this.wake, { once: true });
      });
      signal.removeEventListener('abort', this.wake ?? (() => {}));
      this.wake = undefined;
    }
    this.rung = false;
  }
}

/** The bells between the steps of one process. */
export class Bells {
  /** Offsets were recorded as queued. */
  readonly queued = new Bell();
  /** Offsets were handed over to be retired, or there is room for asking about more. */
  readonly reserved = new Bell();
  /** Events were put into the outbox. */
  readonly decided = new Bell();
}
