import type { EachBatchPayload } from 'kafkajs';
import { sleep } from '../backoff.js';

/** The partition is revoked or the consumer stops. Nothing is committed; another member continues. */
export class PartitionRevoked extends Error {
  override readonly name = 'PartitionRevoked';
}

/** Partitions by topic (full name). Every join makes a new object, so its identity stands for the group's generation. */
export type Assignment = Readonly<Record<string, readonly number[]>>;

/** What a partition's ownership depends on. */
export interface OwnershipSettings {
  readonly heartbeatMs: number;
  /** A handler that takes longer hangs: it cannot be stopped, and heartbeats would make it look healthy forever. */
  readonly handlerLimitMs: number;
  readonly onHandlerLimit: (error: Error) => void;
  readonly stopping: AbortSignal;
  /** Returns this member's assignment as of its last join. */
  readonly assignment: () => Assignment;
}

type Payload = Pick<EachBatchPayload, 'heartbeat' | 'isRunning' | 'isStale'> & {
  readonly batch: Pick<EachBatchPayload['batch'], 'topic' | 'partition'>;
};

/**
 * Keeps this member's membership in its group while one batch is processed (kafkajs sends heartbeats only between batches), and
 * fences the batch against a rebalance.
 *
 * A member whose process is suspended for longer than its session loses its partitions. When it continues, kafkajs 2.2.4
 * (src/consumer) behaves like this:
 *
 * 1. The running handler ends. Its commit carries the old member and generation, and the broker refuses it with
 *    UNKNOWN_MEMBER_ID. No position moves, but the handler has run: its work must be idempotent.
 * 2. kafkajs rejoins only when every batch of the fetch has been through (workerQueue `push` waits for all, and worker `run`
 *    takes the next although one failed). Queued batches would reach the handler after newer work of other members, only for
 *    their commits to be refused. Hence `confirm`: a heartbeat is due after the session, and fails with the error that makes
 *    kafkajs rejoin and read the positions again. Only a response that was in flight at the suspension, and is read before its
 *    request times out, passes for a new one: then case 1 applies.
 * 3. Each broker has its own fetcher, and one may rejoin because of stale metadata (consumerGroup `recoverFromFetch`) while
 *    batches of other brokers are processed. `commitOffsets` would put the new generation on an old batch, and the broker,
 *    which does not check who owns the partition, would move another member's position back. Hence `checkGeneration`.
 *
 * A suspension between the confirmation and the handler's first effect cannot be detected here.
 */
export class PartitionOwnership {
  private lost: Error | undefined;
  private readonly assignment: Assignment;

  constructor(
    private readonly payload: Payload,
    private readonly settings: OwnershipSettings,
  ) {
    this.assignment = settings.assignment();
  }

  /** @throws PartitionRevoked, or the error of a failed heartbeat: work on the batch must end */
  check(): void {
    if (this.lost !== undefined) throw this.lost;
    const { payload, settings } = this;
    if (settings.stopping.aborted || !payload.isRunning() || payload.isStale()) throw new PartitionRevoked();
    this.checkGeneration();
  }

  /**
   * Checks less than `check`, for a commit of finished work: that is allowed while the consumer stops or the group rebalances,
   * and the broker judges it by its generation. @throws PartitionRevoked when that would not be the batch's own
   */
  checkGeneration(): void {
    if (!this.isOfThisGeneration) throw new PartitionRevoked();
  }

  /** Whether the partition is assigned by the same join as when the batch arrived. */
  get isOfThisGeneration(): boolean {
    const { topic, partition } = this.payload.batch;
    const isAssigned = this.assignment[topic]?.includes(partition) ?? false;
    return isAssigned && this.settings.assignment() === this.assignment;
  }

  /**
   * Has the group confirm the membership, unless it did so within the last heartbeat interval. Precedes every handler.
   * @throws as `check`
   */
  async confirm(): Promise<void> {
    this.check();
    await this.heartbeat();
    this.check();
  }

  /** A failed heartbeat (mostly a rebalance) ends the batch at the next check. */
  async heartbeat(): Promise<void> {
    try {
      await this.payload.heartbeat();
    } catch (error) {
      this.lost ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Sleeps with heartbeats. @throws as `check` */
  async sleep(ms: number): Promise<void> {
    const end = performance.now() + ms;
    this.check();
    for (let left = ms; left > 0; left = end - performance.now()) {
      await sleep(Math.min(left, this.settings.heartbeatMs), this.settings.stopping);
      await this.heartbeat();
      this.check();
    }
  }

  /** Waits without a limit, with heartbeats. @throws as `check` */
  async waitFor(work: Promise<unknown>): Promise<void> {
    const settled = work.then(() => true);
    const beat = () => this.sleep(this.settings.heartbeatMs).then(() => false);
    while (!(await Promise.race([settled, beat()]))) this.check();
    this.check();
  }

  /** Runs work with heartbeats, and returns its outcome also when the partition was revoked meanwhile. */
  async withHeartbeats<T>(work: () => Promise<T>): Promise<T> {
    const { heartbeatMs, handlerLimitMs, onHandlerLimit } = this.settings;
    const beats = setInterval(() => void this.heartbeat(), heartbeatMs);
    const limit = setTimeout(
      () => onHandlerLimit(new Error(`A handler ran for more than ${handlerLimitMs} ms.`)),
      handlerLimitMs,
    );
    try {
      return await work();
    } finally {
      clearInterval(beats);
      clearTimeout(limit);
    }
  }
}
