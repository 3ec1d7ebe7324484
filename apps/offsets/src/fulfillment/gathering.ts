/**
 * Does in lots what comes one by one: while one lot is worked on, the next gathers. So under load lots grow, and what comes
 * alone waits for nothing.
 */
export class Gathering<T> {
  private items: T[] = [];
  private next: Promise<void> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly work: (items: readonly T[]) => Promise<void>) {}

  /** Resolves, or rejects, with the lot that the item is in. */
  add(item: T): Promise<void> {
    this.items.push(item);
    this.next ??= this.after(this.last);
    return this.next;
  }

  private async after(last: Promise<unknown>): Promise<void> {
    await last;
    const lot = this.items;
    this.items = [];
    const work = this.work(lot);
    this.next = undefined;
    this.last = work.catch(() => {});
    await work;
  }
}
