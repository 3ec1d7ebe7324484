import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { type Backoff, backoffMs } from '../backoff.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { Step } from '../pipeline/message.js';
import { runPipeline } from '../pipeline/pipeline.js';
import { type OwnershipSettings, PartitionOwnership, PartitionRevoked } from './partition-ownership.js';
import type { PositionCommits } from './position-commits.js';
import type { FetchedBatch, StartPositions } from './start-positions.js';

/** Consecutive messages of a partition, all of them handled or dead-lettered. */
export interface ConsumedRange {
  /** Plain name. */
  readonly topic: string;
  readonly partition: number;
  /** The position at which the range begins, directly after the range before it. */
  readonly from: bigint;
  /** One past the last message. */
  readonly next: bigint;
}

/**
 * Stores a position outside Kafka. Awaited before the position is committed to Kafka, and called again while it throws.
 * `'again'`: the handler's work may be lost, so the messages are handled once more.
 */
export type StorePosition = (range: ConsumedRange) => Promise<'again' | undefined>;

/** What consuming a batch needs. */
export interface ConsumeSettings {
  readonly kafka: KafkaHandle;
  /** Messages a handler receives at once. */
  readonly maxBatch: number;
  readonly pipeline: readonly Step[];
  readonly ownership: OwnershipSettings;
  readonly starts: StartPositions;
  readonly commits: PositionCommits;
  readonly storePosition?: StorePosition | undefined;
  /** Called for each chunk whose position is committed. */
  readonly onDone: (messages: number, seconds: number) => void;
}

const BACKOFF: Backoff = { initialMs: 100, maxMs: 3_000 };

/**
 * Runs the messages of one fetch of a partition through the pipeline, in chunks. A chunk's position is committed only after the
 * last step: whatever interrupts a chunk, it is delivered again.
 */
export async function consumeBatch(payload: EachBatchPayload, settings: ConsumeSettings): Promise<void> {
  const { batch } = payload;
  const { kafka, starts, maxBatch } = settings;
  const { partition } = batch;
  const topic = kafka.names.plain(batch.topic);
  const ownership = new PartitionOwnership(payload, settings.ownership);
  try {
    let from = await starts.admit(batch as FetchedBatch, ownership);
    for (let start = 0; start < batch.messages.length; start += maxBatch) {
      await ownership.confirm();
      const begun = performance.now();
      const raw = batch.messages.slice(start, start + maxBatch);
      const next = positionAfter(payload, raw);
      const run = { topic, partition, raw, messages: [], deadLetters: [], ownership };
      do {
        await runPipeline(settings.pipeline, run);
        ownership.checkGeneration();
      } while ((await storePosition(settings, { topic, partition, from, next }, ownership)) === 'again');
      ownership.checkGeneration();
      const last = raw.at(-1);
      if (last !== undefined) payload.resolveOffset(last.offset);
      await ownership.withHeartbeats(() => settings.commits.commit({ payload, ownership, next }));
      starts.consumed(batch.topic, partition, next);
      from = next;
      settings.onDone(raw.length, (performance.now() - begun) / 1_000);
    }
    ownership.check();
  } catch (error) {
    if (!(error instanceof PartitionRevoked)) throw error;
  }
}

/**
 * Returns the position after the chunk; after a batch's last chunk also past records that are no messages, such as
 * transaction markers.
 */
function positionAfter({ batch }: EachBatchPayload, chunk: readonly KafkaMessage[]): bigint {
  const last = chunk.at(-1);
  return BigInt(last === undefined || last === batch.messages.at(-1) ? batch.lastOffset() : last.offset) + 1n;
}

/** Stores the position until that works. @throws as `ownership.check` when the partition is revoked meanwhile */
async function storePosition(
  { storePosition: store, kafka }: ConsumeSettings,
  range: ConsumedRange,
  ownership: PartitionOwnership,
): Promise<'again' | undefined> {
  for (let failures = 1; store !== undefined; failures += 1) {
    try {
      return await ownership.withHeartbeats(() => store(range));
    } catch (error) {
      const { topic, partition } = range;
      kafka.logger.warn(
        { topic, partition, attempts: failures, err: error },
        'a position could not be stored; retrying',
      );
      await ownership.sleep(backoffMs(failures, BACKOFF));
    }
  }
  return undefined;
}
