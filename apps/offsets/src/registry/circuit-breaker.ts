import { type Backoff, backoffMs } from '@carbon/messaging';

/** When a circuit breaker opens, and for how long. */
export interface CircuitBreakerSettings extends Backoff {
  /** Failures in a row. */
  readonly failures: number;
}

/**
 * Limits the calls to a server that may be down. After some failures in a row it opens: no calls for a while, then one
 * trial, whose outcome closes it again or opens it for twice as long. Workers read its capacity before they claim work,
 * so they claim none in vain.
 */
export class CircuitBreaker {
  private failuresInRow = 0;
  private openings = 0;
  private openUntil = Number.NEGATIVE_INFINITY;
  /** The end of a wait that the server requested; the success of a call that was in progress does not cancel it. */
  private retryAfter = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly settings: CircuitBreakerSettings,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.now() < Math.max(this.openUntil, this.retryAfter)) return 'open';
    return this.openings > 0 ? 'half-open' : 'closed';
  }

  /** Returns how many more calls may be made, of at most `limit` of which `inProgress` are being made. */
  availableCapacity(limit: number, inProgress: number): number {
    const allowed = { closed: limit, open: 0, 'half-open': 1 }[this.state];
    return Math.max(0, allowed - inProgress);
  }

  recordSuccess(): void {
    this.failuresInRow = 0;
    this.openings = 0;
    this.openUntil = Number.NEGATIVE_INFINITY;
  }

  /** @param waitMs the wait that the server requested; then one failure opens the breaker */
  recordFailure(waitMs = 0): void {
    this.failuresInRow += 1;
    const state = this.state;
    if (state !== 'open' && (state === 'half-open' || this.failuresInRow >= this.settings.failures)) {
      this.openings += 1;
      this.openUntil = this.now() + backoffMs(this.openings, this.settings);
    }
    if (waitMs > 0) this.retryAfter = Math.max(this.retryAfter, this.now() + waitMs);
  }
}
