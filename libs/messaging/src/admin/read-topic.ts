import { randomUUID } from 'node:crypto';
import { TOPICS } from '@carbon/contracts';
import type { Consumer, ConsumerCrashEvent, KafkaMessage } from 'kafkajs';
import { withIdleTimeout } from '../backoff.js';
import { consumerConfig, GROUP_TIMES } from '../consume/group-consumer.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { decode, validate } from '../pipeline/decode.js';
import type { DeadLetter, Message, TopicTable } from '../pipeline/message.js';
import { deleteGroup } from './admin.js';
import { type PartitionEnds, topicEnds } from './positions.js';

/** Empty fetches in a row after which the rest of a partition counts as compacted away. */
const EMPTY_FETCHES = 5;
/** This many times as many empty fetches: the broker that has not answered leads no partition any more. */
const ABANDONED = 20;

/**
 * A command has a small heap, and kafkajs decodes a whole response before it delivers the first message: many small messages
 * take far more than their bytes. (A larger message is still delivered, alone: KIP-74.)
 */
const FETCH = { maxBytesPerPartition: 262_144, maxBytes: 1_048_576 } as const;

/** Longer than it takes to leave a partition that moved away ({@link ABANDONED}). */
const COMMAND_TIMEOUT_MS = 60_000;

/** Receives one raw message of a partition. `'enough'` ends the reading. */
export type OnRawMessage = (
  partition: number,
  message: KafkaMessage,
) => 'enough' | undefined | Promise<'enough' | undefined>;

/** Options of `readTopic`. */
export interface ReadTopicOptions {
  readonly topics?: TopicTable;
  /** Receives messages that a consumer would dead-letter; without it they are skipped. */
  readonly onInvalid?: (deadLetter: DeadLetter) => void;
}

/**
 * Reads a topic from its beginning to its ends at the start, each partition in order, one message after the other. May deliver
 * newer messages, too. For commands; uses a consumer group of its own and deletes it.
 * @throws DeadlineExceeded as {@link readMessagesForCommand}
 * @returns how many messages were delivered
 */
export async function readTopic(
  kafka: KafkaHandle,
  topic: string,
  onMessage: (message: Message) => void | Promise<void>,
  options: ReadTopicOptions = {},
): Promise<number> {
  const check = validate(options.topics ?? TOPICS);
  let count = 0;
  await readMessagesForCommand(kafka, topic, await topicEnds(kafka, topic), async (partition, raw) => {
    const { messages, deadLetters } = check(decode({ topic, partition, raw: [raw], messages: [], deadLetters: [] }));
    for (const deadLetter of deadLetters) options.onInvalid?.(deadLetter);
    for (const message of messages) await onMessage(message);
    count += messages.length;
    return undefined;
  });
  return count;
}

/**
 * Reads as {@link readMessages} does, but does not wait out an outage. What it leaves open then ends with the process.
 * @throws DeadlineExceeded when Kafka delivers no message for 60 s
 */
export function readMessagesForCommand(
  kafka: KafkaHandle,
  topic: string,
  ranges: readonly PartitionEnds[],
  onMessage: OnRawMessage,
): Promise<boolean> {
  return withIdleTimeout(COMMAND_TIMEOUT_MS, (onActivity) =>
    readMessages(kafka, topic, ranges, async (partition, message) => {
      // The caller may wait for a slow reader of its output; that is not Kafka's delay.
      const busy = setInterval(onActivity, COMMAND_TIMEOUT_MS / 2);
      try {
        return await onMessage(partition, message);
      } finally {
        clearInterval(busy);
        onActivity();
      }
    }),
  );
}

/**
 * Reads raw messages of a topic: from each partition those from `begin` up to `end`, in order, each once, one after the other. May
 * deliver newer messages, too. Uses a consumer group of its own and deletes it.
 * @param ranges every partition of the topic; one with nothing between begin and end is not read
 * @returns whether each was read to its end; else the rest was compacted away, or its broker was silent for long
 */
export async function readMessages(
  kafka: KafkaHandle,
  topic: string,
  ranges: readonly PartitionEnds[],
  onMessage: OnRawMessage,
): Promise<boolean> {
  const progress = new ReadProgress(ranges, EMPTY_FETCHES);
  if (progress.done) return true;
  const group = `read-${randomUUID()}`;
  const config = consumerConfig(kafka.names.group(group), GROUP_TIMES, () => false);
  const consumer = kafka.client.consumer({ ...config, ...FETCH });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [kafka.names.topic(topic)], fromBeginning: true });
    await readThrough(consumer, kafka.names.topic(topic), ranges, progress, onMessage);
    return progress.isComplete;
  } finally {
    await consumer.disconnect();
    await deleteGroup(kafka, group);
  }
}

function readThrough(
  consumer: Consumer,
  topic: string,
  ranges: readonly PartitionEnds[],
  progress: ReadProgress,
  onMessage: OnRawMessage,
): Promise<void> {
  // A member that lost its session while `onMessage` was slow starts again: no message is delivered twice because of that.
  const next = new Map(ranges.map(({ partition, begin }) => [partition, begin]));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let ended = false;
  const finish = () => {
    ended = true;
    resolve();
  };
  watch(consumer, progress, finish, reject);
  const eachMessage = async ({ partition, message }: { partition: number; message: KafkaMessage }) => {
    const position = BigInt(message.offset);
    const isNew = position >= (next.get(partition) ?? position + 1n);
    if (ended || !isNew) return;
    next.set(partition, position + 1n);
    try {
      if ((await onMessage(partition, message)) === 'enough') finish();
    } catch (error) {
      ended = true;
      reject(error);
    }
    progress.delivered();
  };
  consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  for (const { partition, begin, end } of ranges) {
    if (begin < end) consumer.seek({ topic, partition, offset: String(begin) });
    else consumer.pause([{ topic, partitions: [partition] }]);
  }
  return promise;
}

function watch(consumer: Consumer, progress: ReadProgress, end: () => void, fail: (error: Error) => void): void {
  const endWhenDone = () => progress.done && end();
  consumer.on(consumer.events.CRASH, ({ payload }: ConsumerCrashEvent) => payload.restart || fail(payload.error));
  consumer.on(consumer.events.FETCH_START, ({ payload }) => progress.requested(payload.nodeId));
  consumer.on(consumer.events.FETCH, ({ payload }) => {
    progress.fetched(payload.nodeId);
    endWhenDone();
  });
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    progress.reached(payload.partition, BigInt(payload.lastOffset));
    endWhenDone();
  });
}

/**
 * Decides when a topic is read to its ends. The message before an end may have been compacted away, so a partition also
 * counts as read when several fetches in a row brought nothing of any open partition. Each broker is fetched from at its own
 * pace and answers only for its partitions, so all of them must have been empty.
 */
export class ReadProgress {
  private readonly open = new Map<number, bigint>();
  /** By broker: fetches since any broker delivered something. */
  private readonly empty = new Map<number, number>();

  constructor(
    ranges: readonly PartitionEnds[],
    private readonly emptyFetches: number,
  ) {
    for (const { partition, begin, end } of ranges) if (end > begin) this.open.set(partition, end);
  }

  /** Whether every partition was read to its end. */
  get isComplete(): boolean {
    return this.open.size === 0;
  }

  /** Whether nothing more is to be expected. */
  get done(): boolean {
    if (this.isComplete) return true;
    const counts = [...this.empty.values()];
    const areAllEmpty = counts.length > 0 && counts.every((count) => count > this.emptyFetches);
    return areAllEmpty || counts.some((count) => count > ABANDONED * this.emptyFetches);
  }

  /** A fetch was sent to a broker, whose responses count from now on. */
  requested(broker: number): void {
    if (!this.empty.has(broker)) this.empty.set(broker, 0);
  }

  /** A broker answered a fetch, with messages or without. */
  fetched(broker: number): void {
    this.empty.set(broker, (this.empty.get(broker) ?? 0) + 1);
  }

  /** A message was delivered; more of the same batch may follow. */
  delivered(): void {
    for (const broker of this.empty.keys()) this.empty.set(broker, 0);
  }

  /** Everything of a partition up to this position, inclusive, was delivered. */
  reached(partition: number, position: bigint): void {
    this.delivered();
    const end = this.open.get(partition);
    if (end !== undefined && position + 1n >= end) this.open.delete(partition);
  }
}
