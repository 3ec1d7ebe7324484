/** No turn came in time, or too many wait for one: nobody was asked. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

/** One that waits for its turn. */
interface Waiter {
  readonly begin: () => void;
  readonly refuse: (why: string) => void;
}

/**
 * Lets so many go at a time; some more wait, and the rest are refused at once. Accounts take turns: each has its next one
 * let go before any has a second, and when too many wait, it is the one with most that gives way. Who asks little is so
 * kept waiting by the number of accounts, not by how much another asks.
 */
export class Turns {
  /** Who waits, of each account in the order they came; the account whose turn is next stands first. */
  private readonly queues = new Map<string, Set<Waiter>>();
  private waiting = 0;
  private taken = 0;

  /** @param waitMs how long one waits for a turn at most */
  constructor(
    private readonly atATime: number,
    private readonly mostWaiting: number,
    private readonly waitMs: number,
  ) {}

  /** Does `work` when the turn of its account comes. @throws NoTurn when it does not come */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (this.taken < this.atATime) this.taken += 1;
    else await this.handedOver(account);
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private handedOver(account: string): Promise<void> {
    if (this.waiting >= this.mostWaiting) this.makeRoomFor(account);
    return new Promise((resolve, reject) => {
      const refuse = (why: string) => {
        clearTimeout(timer);
        this.leave(account, waiter);
        reject(new NoTurn(why));
      };
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiter = { begin, refuse };
      const timer = setTimeout(() => refuse(`no turn within ${this.waitMs} ms`), this.waitMs);
      this.join(account, waiter);
    });
  }

  /** The last one of the account with most waiting gives way, unless that would only change their places. */
  private makeRoomFor(account: string): void {
    const full = 'too many questions under way';
    const own = this.queues.get(account)?.size ?? 0;
    let longest: ReadonlySet<Waiter> = new Set();
    for (const queue of this.queues.values()) if (queue.size > longest.size) longest = queue;
    if (longest.size <= own + 1) throw new NoTurn(full);
    [...longest].at(-1)?.refuse(full);
  }

  private handOn(): void {
    const [next] = this.queues;
    const [waiter] = next?.[1] ?? [];
    if (next === undefined || waiter === undefined) {
      this.taken -= 1;
      return;
    }
    const [account, queue] = next;
    this.leave(account, waiter);
    // To the end of the accounts, for it has had its turn.
    if (this.queues.delete(account)) this.queues.set(account, queue);
    waiter.begin();
  }

  private join(account: string, waiter: Waiter): void {
    const queue = this.queues.get(account);
    if (queue) queue.add(waiter);
    else this.queues.set(account, new Set([waiter]));
    this.waiting += 1;
  }

  private leave(account: string, waiter: Waiter): void {
    const queue = this.queues.get(account);
    if (!queue?.delete(waiter)) return;
    this.waiting -= 1;
    if (queue.size === 0) this.queues.delete(account);
  }
}
