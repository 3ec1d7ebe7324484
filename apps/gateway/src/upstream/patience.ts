/** So long a question may have waited for its turn and still was asked in good time, in ms. */
const GOOD_TIME_MS = 100;

/**
 * How long an answer is waited for: until the time is over, or nobody wants it any more. `AbortSignal.timeout` would do,
 * but each such signal lives on until its time is over, which makes thousands of them under load.
 */
export class Patience {
  private readonly over = new AbortController();
  private readonly begun = performance.now();
  private readonly timer: NodeJS.Timeout;
  private askedLate = false;
  private gone: AbortSignal | undefined;

  constructor(private readonly ms: number) {
    this.timer = setTimeout(() => this.end(), ms);
  }

  /** Aborted when it is at its end: with {@link GivenUp} when that says nothing about who was asked. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** To be called when the question is asked at last: who got little of the time is not to blame for being late. */
  asks(): void {
    this.askedLate = performance.now() - this.begun > GOOD_TIME_MS;
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

  private end(): void {
    this.over.abort(this.askedLate ? new GivenUp() : new Error(`no answer within ${this.ms} ms`));
  }

  private readonly leave = (): void => this.over.abort(new GivenUp());
}

/** The answer is waited for no more, for a reason of ours: that says nothing about who was asked. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}
