/** What a flight does. */
export interface FlightPlan<A> {
  /** Asks; the signal says that nobody waits any more. */
  readonly begin: (abandoned: AbortSignal) => Promise<A>;
  /** Called with the answer, before those who wait have it. */
  readonly landed: (answer: A) => void;
  /** Called once when it can be joined no more: it was answered, has failed, or was given up. */
  readonly ended: () => void;
}

/** One question under way, which several wait for. It is given up when the last of them has gone. */
export class Flight<A> {
  private readonly giveUp = new AbortController();
  private readonly landing: Promise<A>;
  private waiting = 0;

  constructor(
    readonly askedAt: number,
    private readonly plan: FlightPlan<A>,
  ) {
    this.landing = this.fly();
    // Whoever has gone does not hear of a failure.
    this.landing.catch(() => {});
  }

  /** Waits for the answer. @param signal says that who waits has gone; then rejects with its reason */
  async join(signal: AbortSignal | undefined): Promise<A> {
    this.waiting += 1;
    if (signal === undefined) return await this.landing;
    return await new Promise<A>((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        this.leave();
      };
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
      const stay = () => signal.removeEventListener('abort', leave);
      this.landing.then(resolve, reject).finally(stay);
    });
  }

  private leave(): void {
    this.waiting -= 1;
    if (this.waiting > 0) return;
    this.plan.ended();
    this.giveUp.abort(new Error('nobody waits for the answer any more'));
  }

  private async fly(): Promise<A> {
    try {
      const answer = await this.plan.begin(this.giveUp.signal);
      this.plan.landed(answer);
      return answer;
    } finally {
      this.plan.ended();
    }
  }
}
