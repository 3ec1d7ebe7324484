import type { EachBatchPayload } from 'kafkajs';
import { pause } from '../back-off.js';

/** The partition is not ours to work on any more: the consumer is stopping. Nothing is committed; somebody else goes on. */
export class PartitionReleased extends Error {
  override readonly name = 'PartitionReleased';
}

/** Keeps the consumer's place in its group while one batch is worked on. */
export interface Hold {
  /** @throws when the place is lost or the consumer stops: work on the batch must end */
  check(): void;
  /** Has the group confirm the place, unless it did so within the last heartbeat; right before a handler begins. @throws as `check` */
  confirm(): Promise<void>;
  /** Waits, with heartbeats. @throws as `check` */
  pause(ms: number): Promise<void>;
  /** Lets work run, with heartbeats beside it; its outcome is passed on whatever becomes of the place. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** How a partition is held on to while its batch is worked on. */
export interface HoldSettings {
  /** How often a heartbeat is due. Milliseconds. */
  readonly beatMs: number;
  /** A handler that takes longer hangs: it cannot be stopped, and heartbeats would make it look healthy for ever. */
  readonly overrunMs: number;
  readonly onOverrun: (error: Error) => void;
  readonly stopping: AbortSignal;
  /** What the group has given to this member, as of its last join. */
  readonly assignment: () => Assignment;
}

/** Topics by full name, and the partitions of each. A new object with each join, so it also says which generation it is of. */
export type Assignment = Readonly<Record<string, readonly number[]>>;

type Payload = Pick<EachBatchPayload, 'heartbeat' | 'isRunning' | 'isStale'> & {
  readonly batch: Pick<EachBatchPayload['batch'], 'topic' | 'partition'>;
};

/**
 * The hold on one partition's batch: kafkajs heartbeats only between batches, so every wait within one brings its own.
 *
 * A member whose process is suspended past its session is put out of the group, and others take its partitions. When it is
 * continued, this is what would happen (kafkajs 2.2.4, src/consumer):
 *
 * 1. The handler that was at work ends. Its commit carries the old member and generation, and the broker refuses it with
 *    UNKNOWN_MEMBER_ID. No position moves, but the handler has run: what it does must stand being done again.
 * 2. kafkajs joins anew only when every batch of the fetch has been through (workerQueue `push` waits for all, and worker
 *    `run` takes the next from the line though one has failed). So what waits in line, fetched before the suspension, would
 *    still go to the handler, over the newer work of others, only for its commit to be refused as well. Hence `confirm`.
 *    kafkajs sends a heartbeat only when one is due; past the session one is, for the interval is shorter. It fails with
 *    the error that makes kafkajs join anew and read the positions afresh. Only an answer that was on its way at the
 *    suspension, and is read before its request times out, can pass for a new one: then it is as in 1.
 * 3. With several brokers there is one fetcher for each, and one of them may join anew for stale metadata
 *    (consumerGroup `recoverFromFetch`) while batches of the others are at work. `commitOffsets` would then put the new
 *    generation on an old batch, and the broker, which does not ask whose the partition is, would take it: the position
 *    of another member could move back. Hence a batch keeps to the assignment it began under: `checkGeneration`.
 *
 * A suspension between the confirmation and the handler's first effect cannot be seen from here.
 */
export class PartitionHold implements Hold {
  private lost: Error | undefined;
  private readonly assignment: Assignment;

  constructor(
    private readonly payload: Payload,
    private readonly settings: HoldSettings,
  ) {
    this.assignment = settings.assignment();
  }

  check(): void {
    if (this.lost !== undefined) throw this.lost;
    const { payload, settings } = this;
    if (settings.stopping.aborted || !payload.isRunning() || payload.isStale()) throw new PartitionReleased();
    this.checkGeneration();
  }

  /**
   * Less than `check`, for a commit of finished work: that may be made while the consumer stops or the group rebalances,
   * and the broker judges it by its generation. @throws PartitionReleased when that would not be the batch's own
   */
  checkGeneration(): void {
    const { topic, partition } = this.payload.batch;
    const ours = this.assignment[topic]?.includes(partition) ?? false;
    if (!ours || this.settings.assignment() !== this.assignment) throw new PartitionReleased();
  }

  async confirm(): Promise<void> {
    this.check();
    await this.beat();
    this.check();
  }

  /** A failed heartbeat (a rebalance, mostly) is remembered and ends the batch at the next check. */
  async beat(): Promise<void> {
    try {
      await this.payload.heartbeat();
    } catch (error) {
      this.lost ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  async pause(ms: number): Promise<void> {
    const end = performance.now() + ms;
    this.check();
    for (let left = ms; left > 0; left = end - performance.now()) {
      await pause(Math.min(left, this.settings.beatMs), this.settings.stopping);
      await this.beat();
      this.check();
    }
  }

  /** Waits for as long as it takes, with heartbeats. @throws as `check` */
  async until(done: Promise<unknown>): Promise<void> {
    const settled = done.then(() => true);
    const beat = () => this.pause(this.settings.beatMs).then(() => false);
    while (!(await Promise.race([settled, beat()]))) this.check();
    this.check();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const { beatMs, overrunMs, onOverrun } = this.settings;
    const beats = setInterval(() => void this.beat(), beatMs);
    const overrun = setTimeout(() => onOverrun(new Error(`A handler ran for more than ${overrunMs} ms.`)), overrunMs);
    try {
      return await work();
    } finally {
      clearInterval(beats);
      clearTimeout(overrun);
    }
  }
}
