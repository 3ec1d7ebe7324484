/** No turn came in time, or too many wait for one: nobody was asked. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

/** Lets so many go at a time; some more wait, first come first served, and the rest are refused at once. */
export class Turns {
  private readonly queue = new Set<() => void>();
  private taken = 0;

  /** @param waitMs how long one waits for a turn at most */
  constructor(
    private readonly atATime: number,
    private readonly waiting: number,
    private readonly waitMs: number,
  ) {}

  /** Does `work` when its turn comes. @throws NoTurn when it does not come */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken < this.atATime) this.taken += 1;
    else await this.handedOver();
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private handedOver(): Promise<void> {
    if (this.queue.size >= this.waiting) throw new NoTurn('too many questions under way');
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.queue.delete(go);
        reject(new NoTurn(`no turn within ${this.waitMs} ms`));
      }, this.waitMs);
      this.queue.add(go);
    });
  }

  private handOn(): void {
    const [next] = this.queue;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.queue.delete(next);
    next();
  }
}
