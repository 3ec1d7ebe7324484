import { CallAbandoned } from './deadline.js';

/** The queue is full, or no slot became free in time. The work did not start. */
export class QueueRejected extends Error {
  override readonly name = 'QueueRejected';
}

interface Waiter {
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/** The bounds of a {@link FairQueue}. */
interface FairQueueOptions {
  /** Tasks that run at a time. */
  readonly slots: number;
  /** The maximum number of waiting tasks; further tasks are rejected at once. */
  readonly maxWaiting: number;
  /** How long a task waits for a slot, in ms. */
  readonly waitMs: number;
}

/**
 * Runs a bounded number of tasks at a time and queues some more, round-robin by account: each account starts one task before
 * any starts a second. When the queue is full, the account with the longest queue loses its last task. How long an account
 * waits depends on how many accounts wait, not on how many requests another one sends.
 */
export class FairQueue {
  /** The waiting tasks of each account in order of arrival; the next account comes first. */
  private readonly queues = new Map<string, Set<Waiter>>();
  private waiting = 0;
  private running = 0;

  constructor(private readonly options: FairQueueOptions) {}

  /**
   * Runs `work` when the account's turn comes.
   * @param client aborts when the client disconnects: then the task leaves the queue
   * @throws QueueRejected, or CallAbandoned when the client disconnected before the work started
   */
  async run<T>(account: string, work: () => Promise<T>, client?: AbortSignal): Promise<T> {
    if (client?.aborted) throw new CallAbandoned();
    if (this.running < this.options.slots) this.running += 1;
    else await this.waitForSlot(account, client);
    try {
      return await work();
    } finally {
      this.releaseSlot();
    }
  }

  private waitForSlot(account: string, client: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, waitMs } = this.options;
    if (this.waiting >= maxWaiting) this.shedFor(account);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        client?.removeEventListener('abort', abandon);
        this.remove(account, waiter);
      };
      const waiter: Waiter = {
        start: () => {
          leave();
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const abandon = () => waiter.reject(new CallAbandoned());
      const timer = setTimeout(() => waiter.reject(new QueueRejected(`no free slot within ${waitMs} ms`)), waitMs);
      client?.addEventListener('abort', abandon, { once: true });
      this.add(account, waiter);
    });
  }

  /** Rejects the last task of the longest queue, unless that queue would be the caller's own. */
  private shedFor(account: string): void {
    const full = new QueueRejected('too many calls are waiting');
    const own = this.queues.get(account)?.size ?? 0;
    let longest: ReadonlySet<Waiter> = new Set();
    for (const queue of this.queues.values()) if (queue.size > longest.size) longest = queue;
    if (longest.size <= own + 1) throw full;
    [...longest].at(-1)?.reject(full);
  }

  private releaseSlot(): void {
    const [next] = this.queues;
    const [waiter] = next?.[1] ?? [];
    if (next === undefined || waiter === undefined) {
      this.running -= 1;
      return;
    }
    waiter.start();
    // Moves the account to the end: it has had its turn.
    const [account, queue] = next;
    if (this.queues.delete(account)) this.queues.set(account, queue);
  }

  private add(account: string, waiter: Waiter): void {
    const queue = this.queues.get(account);
    if (queue) queue.add(waiter);
    else this.queues.set(account, new Set([waiter]));
    this.waiting += 1;
  }

  private remove(account: string, waiter: Waiter): void {
    const queue = this.queues.get(account);
    if (!queue?.delete(waiter)) return;
    this.waiting -= 1;
    if (queue.size === 0) this.queues.delete(account);
  }
}
