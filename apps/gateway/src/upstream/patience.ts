/**
 * How long an answer is waited for: until the time is over, or nobody wants it any more. `AbortSignal.timeout` would do,
 * but each such signal lives on until its time is over, which makes thousands of them under load.
 */
export class Patience {
  private readonly over = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private gone: AbortSignal | undefined;

  constructor(ms: number) {
    this.timer = setTimeout(() => this.over.abort(new Error(`no answer within ${ms} ms`)), ms);
  }

  /** Aborted when it is at its end. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** From now on it ends also when who waits has gone. */
  endsWith(gone: AbortSignal): void {
    this.gone = gone;
    gone.addEventListener('abort', this.leave, { once: true });
  }

  /** To be called when the answer is there, or has failed. */
  close(): void {
    clearTimeout(this.timer);
    this.gone?.removeEventListener('abort', this.leave);
  }

  private readonly leave = (): void => this.over.abort(new GivenUp());
}

/** Nobody waits for the answer any more: that says nothing about who was asked. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}
