import { DeadlineExceeded } from '@carbon/observability';

/** A call that waited longer than this for its slot, in ms, does not count against the upstream when it times out. */
const LATE_START_MS = 100;

/**
 * The call was abandoned: its client disconnected, or its slot was assigned late. The circuit breaker must not count it
 * against the upstream.
 */
export class CallAbandoned extends Error {
  override readonly name = 'CallAbandoned';
}

/**
 * Bounds one call: its signal aborts at the timeout or when the client disconnects. `AbortSignal.timeout` would live until its
 * time is over, so there would be thousands under load; this one ends with the call.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly createdAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private startedLate = false;
  private isClosed = false;
  private client: AbortSignal | undefined;

  constructor(private readonly ms: number) {
    this.timer = setTimeout(() => this.expire(), ms);
  }

  /** Aborts with {@link DeadlineExceeded} or {@link CallAbandoned}. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Marks the moment the call gets its slot: one with little time left must not count against the upstream. */
  start(): void {
    this.startedLate = performance.now() - this.createdAt > LATE_START_MS;
  }

  /** Also ends the call when its client disconnects. */
  abandonOn(client: AbortSignal): void {
    this.client = client;
    if (client.aborted) this.abandon();
    client.addEventListener('abort', this.abandon, { once: true });
  }

  /** Releases the timer and the listener once the call has ended. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.client?.removeEventListener('abort', this.abandon);
  }

  /** What arrived while this process was busy is read before the call counts as late. */
  private expire(): void {
    setImmediate(() => {
      if (this.isClosed) return;
      if (this.startedLate) this.abandon();
      else this.controller.abort(new DeadlineExceeded(`no response within ${this.ms} ms`));
    });
  }

  private readonly abandon = (): void => this.controller.abort(new CallAbandoned());
}
