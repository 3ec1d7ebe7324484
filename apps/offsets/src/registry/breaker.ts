import { type BackOff, pauseAfter } from './back-off.js';

/** When a breaker opens, and for how long. */
export interface BreakerSettings extends BackOff {
  /** Failures in a row. */
  readonly failures: number;
}

/**
 * Says how many calls may be made to somebody who may be dead. After some failures in a row none for a while; then one,
 * whose outcome decides: closed again, or open for twice as long. Unlike a breaker around calls, it is asked before work is
 * taken up, so that nothing is taken up only to be refused.
 */
export class Breaker {
  private failed = 0;
  private openings = 0;
  private openUntil = Number.NEGATIVE_INFINITY;
  /** Apart from the above: what a call that was under way achieves does not take back what we were told. */
  private toldUntil = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly settings: BreakerSettings,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.now() < Math.max(this.openUntil, this.toldUntil)) return 'open';
    return this.openings > 0 ? 'half-open' : 'closed';
  }

  /** How many more calls may be made when there may be `most` and `underWay` are. */
  room(most: number, underWay: number): number {
    const allowed = { closed: most, open: 0, 'half-open': 1 }[this.state];
    return Math.max(0, allowed - underWay);
  }

  succeeded(): void {
    this.failed = 0;
    this.openings = 0;
    this.openUntil = Number.NEGATIVE_INFINITY;
  }

  /** @param waitMs how long we were told to stay away; from who says so, one failure is enough */
  failedOnce(waitMs = 0): void {
    this.failed += 1;
    const state = this.state;
    if (state !== 'open' && (state === 'half-open' || this.failed >= this.settings.failures)) {
      this.openings += 1;
      this.openUntil = this.now() + pauseAfter(this.openings, this.settings);
    }
    if (waitMs > 0) this.toldUntil = Math.max(this.toldUntil, this.now() + waitMs);
  }
}
