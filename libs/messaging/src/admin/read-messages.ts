import { randomUUID } from 'node:crypto';
import type { Consumer, ConsumerCrashEvent, KafkaMessage } from 'kafkajs';
import { consumerConfig, GROUP_TIMES } from '../consume/consumer-settings.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { PartitionEnds } from './positions.js';
import { ReadingProgress } from './reading-progress.js';
import { withAdmin } from './with-admin.js';

/** What a reader of messages is called with: one message as it lies in its partition. `'enough'` ends the reading. */
export type OnRawMessage = (
  partition: number,
  message: KafkaMessage,
) => 'enough' | undefined | Promise<'enough' | undefined>;

/** Fetches without news after which what is left of a partition is taken to have been compacted away. */
const QUIET_FETCHES = 5;

/**
 * A command reads with a small heap, and kafkajs decodes a whole answer before the first message of it is handed over: of
 * many small messages that is far more than their bytes. (A larger message comes all the same, alone: KIP-74.)
 */
const FETCH = { maxBytesPerPartition: 262_144, maxBytes: 1_048_576 } as const;

/**
 * Reads messages of a topic as they lie there, undecoded: of each partition those from `begin` up to `end`, in order, each
 * once. One is handed over after the other, and fetching waits for it; nothing is kept. Newer ones may come along.
 * Takes a group of its own and removes it; meant for command lines.
 * @param from every partition of the topic; one with nothing between begin and end is not read
 * @returns whether each was read to its end: else what is left was compacted away, or its broker was silent for long
 */
export async function readMessages(
  kafka: KafkaHandle,
  topic: string,
  from: readonly PartitionEnds[],
  onMessage: OnRawMessage,
): Promise<boolean> {
  const progress = new ReadingProgress(from, QUIET_FETCHES);
  if (progress.done) return true;
  const groupId = kafka.names.group(`read-${randomUUID()}`);
  const consumer = kafka.client.consumer({ ...consumerConfig(groupId, GROUP_TIMES, () => false), ...FETCH });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [kafka.names.topic(topic)], fromBeginning: true });
    await readThrough(consumer, kafka.names.topic(topic), from, progress, onMessage);
    return progress.isWhole;
  } finally {
    await consumer.disconnect();
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => {});
  }
}

function readThrough(
  consumer: Consumer,
  topic: string,
  from: readonly PartitionEnds[],
  progress: ReadingProgress,
  onMessage: OnRawMessage,
): Promise<void> {
  // A member that was thrown out while its reader took its time begins again: nobody gets a message twice for that.
  const next = new Map(from.map(({ partition, begin }) => [partition, begin]));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let ended = false;
  const finish = () => {
    ended = true;
    resolve();
  };
  watch(consumer, progress, finish, reject);
  const eachMessage = async ({ partition, message }: { partition: number; message: KafkaMessage }) => {
    const position = BigInt(message.offset);
    const isNews = position >= (next.get(partition) ?? position + 1n);
    if (ended || !isNews) return;
    next.set(partition, position + 1n);
    try {
      if ((await onMessage(partition, message)) === 'enough') finish();
    } catch (error) {
      ended = true;
      reject(error);
    }
    progress.moved();
  };
  consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  for (const { partition, begin, end } of from) {
    if (begin < end) consumer.seek({ topic, partition, offset: String(begin) });
    else consumer.pause([{ topic, partitions: [partition] }]);
  }
  return promise;
}

function watch(consumer: Consumer, progress: ReadingProgress, end: () => void, fail: (error: Error) => void): void {
  const look = () => progress.done && end();
  consumer.on(consumer.events.CRASH, ({ payload }: ConsumerCrashEvent) => payload.restart || fail(payload.error));
  consumer.on(consumer.events.FETCH_START, ({ payload }) => progress.asked(payload.nodeId));
  consumer.on(consumer.events.FETCH, ({ payload }) => {
    progress.fetched(payload.nodeId);
    look();
  });
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    progress.reached(payload.partition, BigInt(payload.lastOffset));
    look();
  });
}
