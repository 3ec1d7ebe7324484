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
}

type Payload = Pick<EachBatchPayload, 'heartbeat' | 'isRunning' | 'isStale'>;

/** The hold on one partition's batch: kafkajs heartbeats only between batches, so every wait within one brings its own. */
export class PartitionHold implements Hold {
  private lost: Error | undefined;

  constructor(
    private readonly payload: Payload,
    private readonly settings: HoldSettings,
  ) {}

  check(): void {
    if (this.lost !== undefined) throw this.lost;
    const { payload, settings } = this;
    if (settings.stopping.aborted || !payload.isRunning() || payload.isStale()) throw new PartitionReleased();
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
