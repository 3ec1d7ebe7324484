import { randomUUID } from 'node:crypto';
import { TOPICS } from '@carbon/contracts';
import type { Consumer, KafkaMessage } from 'kafkajs';
import { consumerConfig, GROUP_TIMES } from '../consume/consumer-settings.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { decode } from '../pipeline/decode.js';
import type { Received } from '../pipeline/received.js';
import type { Letter } from '../pipeline/run.js';
import { type TopicTable, validate } from '../pipeline/validate.js';
import { endsOf } from './positions.js';
import { ReadingProgress } from './reading-progress.js';
import { withAdmin } from './with-admin.js';

/** What a reading may be told beside the topic. */
export interface ReadTopicOptions {
  readonly topics?: TopicTable;
  /** Gets what cannot be read; without it such messages are passed over. */
  readonly onUnfit?: (letter: Letter) => void;
}

/** Fetches without news after which what is left of a partition is taken to have been compacted away. */
const QUIET_FETCHES = 5;

/**
 * Reads a topic from its beginning to the ends it has at the start, each partition in order, and keeps nothing itself:
 * every message is handed to `onMessage`, one after the other, and fetching waits for it. For command lines; it takes a
 * group of its own and removes it. Newer messages may come along, and are handed on too.
 * @returns how many messages were handed over
 */
export async function readTopic(
  kafka: KafkaHandle,
  topic: string,
  onMessage: (message: Received) => void | Promise<void>,
  options: ReadTopicOptions = {},
): Promise<number> {
  const progress = new ReadingProgress(await endsOf(kafka, topic), QUIET_FETCHES);
  if (progress.done) return 0;
  const groupId = kafka.names.group(`read-${randomUUID()}`);
  const consumer = kafka.client.consumer(consumerConfig(groupId, GROUP_TIMES, () => false));
  const read = reader(topic, onMessage, options);
  try {
    return await readThrough(consumer, kafka.names.topic(topic), progress, read);
  } finally {
    await consumer.disconnect();
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => {});
  }
}

type Read = (partition: number, raw: KafkaMessage) => Promise<boolean>;

function reader(
  topic: string,
  onMessage: (message: Received) => void | Promise<void>,
  options: ReadTopicOptions,
): Read {
  const check = validate(options.topics ?? TOPICS);
  return async (partition, raw) => {
    const run = { topic, partition, raw: [raw], messages: [], letters: [] };
    const { messages, letters } = check(decode(run));
    for (const letter of letters) options.onUnfit?.(letter);
    for (const message of messages) await onMessage(message);
    return messages.length > 0;
  };
}

async function readThrough(consumer: Consumer, topic: string, progress: ReadingProgress, read: Read): Promise<number> {
  let count = 0;
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    const look = () => progress.done && resolve();
    consumer.on(consumer.events.CRASH, ({ payload }) => payload.restart || reject(payload.error));
    consumer.on(consumer.events.FETCH_START, ({ payload }) => progress.asked(payload.nodeId));
    consumer.on(consumer.events.FETCH, ({ payload }) => {
      progress.fetched(payload.nodeId);
      look();
    });
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      progress.reached(payload.partition, BigInt(payload.lastOffset));
      look();
    });
    const eachMessage = async ({ partition, message }: { partition: number; message: KafkaMessage }) => {
      if (await read(partition, message).catch(reject)) count += 1;
      progress.moved();
    };
    consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  });
  return count;
}
