import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { MessagingLogger } from '../kafka/messaging-logger.js';
import type { Names } from '../kafka/names.js';
import type { Run, Step } from '../pipeline/run.js';
import type { AssignedStarts, FetchedFrom } from './assigned-starts.js';
import { type HoldSettings, PartitionHold, PartitionReleased } from './hold.js';
import { type OnProgress, reportProgress } from './report-progress.js';

/** What the way of a batch through the pipeline is made of. */
export interface ConsumeSettings {
  /** Messages a handler gets at once. */
  readonly maxBatch: number;
  readonly names: Names;
  /** The steps for a topic, in order. */
  readonly pipelineOf: (topic: string) => readonly Step[];
  readonly hold: HoldSettings;
  readonly starts: AssignedStarts;
  readonly logger: MessagingLogger;
  readonly onProgress?: OnProgress | undefined;
  /** Told of each chunk whose position is committed. */
  readonly onDone?: (topic: string, messages: number, seconds: number) => void;
}

/**
 * Takes what one fetch brought of a partition through the pipeline, chunk by chunk. The position is committed only when a
 * chunk is through the last step: whatever interrupts it, the chunk comes again.
 */
export async function consumeBatch(payload: EachBatchPayload, settings: ConsumeSettings): Promise<void> {
  const { batch } = payload;
  const { starts, onProgress, logger } = settings;
  const topic = settings.names.plain(batch.topic);
  const hold = new PartitionHold(payload, settings.hold);
  try {
    let from = await starts.admit(batch as EachBatchPayload['batch'] & FetchedFrom, hold);
    for (let start = 0; start < batch.messages.length; start += settings.maxBatch) {
      await hold.confirm();
      const begun = performance.now();
      const raw = batch.messages.slice(start, start + settings.maxBatch);
      const { partition } = batch;
      const next = positionAfter(payload, raw);
      do {
        await passThrough(settings.pipelineOf(topic), { topic, partition, raw, messages: [], letters: [], hold });
        hold.checkGeneration();
      } while (
        onProgress !== undefined &&
        (await reportProgress(onProgress, { topic, partition, from, next }, hold, logger)) === 'again'
      );
      hold.checkGeneration();
      await commit(payload, raw, next);
      starts.consumed(batch.topic, batch.partition, next);
      from = next;
      settings.onDone?.(topic, raw.length, (performance.now() - begun) / 1_000);
    }
    hold.check();
  } catch (error) {
    if (!(error instanceof PartitionReleased)) throw error;
  }
}

async function passThrough(steps: readonly Step[], run: Run): Promise<void> {
  let state = run;
  for (const step of steps) state = await step(state);
}

/** Behind the chunk; behind the last one of a batch also what no handler gets, such as the marker of a transaction. */
function positionAfter({ batch }: EachBatchPayload, chunk: readonly KafkaMessage[]): bigint {
  const last = chunk.at(-1);
  return BigInt(last === undefined || last === batch.messages.at(-1) ? batch.lastOffset() : last.offset) + 1n;
}

/** Not `consumer.commitOffsets`, which does nothing once the consumer is stopping: finished work would be done again. */
async function commit({ batch, ...payload }: EachBatchPayload, chunk: readonly KafkaMessage[], next: bigint) {
  const last = chunk.at(-1);
  if (last === undefined) return;
  const { topic, partition } = batch;
  payload.resolveOffset(last.offset);
  await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: String(next) }] }] });
}
