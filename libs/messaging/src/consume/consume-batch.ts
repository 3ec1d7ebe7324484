import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Names } from '../kafka/names.js';
import type { Run, Step } from '../pipeline/run.js';
import { type HoldSettings, PartitionHold, PartitionReleased } from './hold.js';

/** What the way of a batch through the pipeline is made of. */
export interface ConsumeSettings {
  /** Messages a handler gets at once. */
  readonly maxBatch: number;
  readonly names: Names;
  /** The steps for a topic, in order. */
  readonly pipelineOf: (topic: string) => readonly Step[];
  readonly hold: HoldSettings;
  /** Told of each chunk whose position is committed. */
  readonly onDone?: (topic: string, messages: number, seconds: number) => void;
}

/**
 * Takes what one fetch brought of a partition through the pipeline, chunk by chunk. The position is committed only when a
 * chunk is through the last step: whatever interrupts it, the chunk comes again.
 */
export async function consumeBatch(payload: EachBatchPayload, settings: ConsumeSettings): Promise<void> {
  const { batch } = payload;
  const topic = settings.names.plain(batch.topic);
  const hold = new PartitionHold(payload, settings.hold);
  try {
    for (let start = 0; start < batch.messages.length; start += settings.maxBatch) {
      await hold.confirm();
      const begun = performance.now();
      const raw = batch.messages.slice(start, start + settings.maxBatch);
      await passThrough(settings.pipelineOf(topic), {
        topic,
        partition: batch.partition,
        raw,
        messages: [],
        letters: [],
        hold,
      });
      hold.checkGeneration();
      await commit(payload, raw);
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

/** Not `consumer.commitOffsets`, which does nothing once the consumer is stopping: finished work would be done again. */
async function commit({ batch, ...payload }: EachBatchPayload, chunk: readonly KafkaMessage[]): Promise<void> {
  const last = chunk.at(-1);
  if (last === undefined) return;
  const { topic, partition } = batch;
  payload.resolveOffset(last.offset);
  const next = String(BigInt(last.offset) + 1n);
  await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: next }] }] });
}
