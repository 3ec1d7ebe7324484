interface Submission<Item, Outcome> {
  readonly items: readonly Item[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs one batch at a time; what is submitted meanwhile shares the next one. */
export class SharedBatches<Item, Outcome> {
  private readonly waiting: Submission<Item, Outcome>[] = [];
  private lastTurn: Promise<void> = Promise.resolve();

  /** @param maxSize the maximum number of items in a batch; a single larger submission is a batch of its own */
  constructor(
    private readonly maxSize: number,
    private readonly run: (items: readonly Item[]) => Promise<Outcome>,
  ) {}

  /** Returns the outcome of the batch that the items are part of, or throws its error. */
  submit(items: readonly Item[]): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ items, resolve, reject });
      this.lastTurn = this.lastTurn.then(() => this.runNext());
    });
  }

  /** Resolves when everything that was submitted before has run. */
  async idle(): Promise<void> {
    await this.lastTurn;
  }

  /** One turn for each submission: those of submissions that shared an earlier batch find nothing to do. */
  private async runNext(): Promise<void> {
    const batch = this.take();
    if (batch.length === 0) return;
    try {
      const outcome = await this.run(batch.flatMap(({ items }) => items));
      for (const { resolve } of batch) resolve(outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private take(): Submission<Item, Outcome>[] {
    let size = 0;
    const end = this.waiting.findIndex(({ items }, place) => {
      size += items.length;
      return place > 0 && size > this.maxSize;
    });
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }
}
