import { type BackOff, pauseAfter } from '../back-off.js';
import type { MessagingLogger } from '../kafka/messaging-logger.js';
import type { Hold } from './hold.js';

/** Consecutive messages of a partition, all of them handled or dead-lettered. */
export interface Progress {
  /** Plain name. */
  readonly topic: string;
  readonly partition: number;
  /** The position from which the messages continue what was consumed before. */
  readonly from: bigint;
  /** One past the last of them. */
  readonly next: bigint;
}

/**
 * Stores progress. It is awaited before the position is committed to Kafka, and called again while it throws. `'again'`: what was
 * handled may be lost, so the messages are handled once more.
 */
export type OnProgress = (progress: Progress) => Promise<'again' | undefined>;

const AGAIN: BackOff = { firstMs: 100, lastMs: 3_000 };

/** Reports progress until that works. @throws as `hold.check` when the partition is lost in between */
export async function reportProgress(
  onProgress: OnProgress,
  progress: Progress,
  hold: Hold,
  logger: MessagingLogger,
): Promise<'again' | undefined> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await hold.during(() => onProgress(progress));
    } catch (error) {
      const { topic, partition } = progress;
      logger.warn({ topic, partition, attempts: failures, err: error }, 'a position waits to be stored');
      await hold.pause(pauseAfter(failures, AGAIN));
    }
  }
}
