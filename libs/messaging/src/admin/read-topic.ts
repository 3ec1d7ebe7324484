import { TOPICS } from '@carbon/contracts';
import type { KafkaMessage } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { decode } from '../pipeline/decode.js';
import type { Received } from '../pipeline/received.js';
import type { Letter } from '../pipeline/run.js';
import { type TopicTable, validate } from '../pipeline/validate.js';
import { endsOf } from './positions.js';
import { readMessages } from './read-messages.js';

/** What a reading may be told beside the topic. */
export interface ReadTopicOptions {
  readonly topics?: TopicTable;
  /** Gets what cannot be read; without it such messages are passed over. */
  readonly onUnfit?: (letter: Letter) => void;
}

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
  const check = validate(options.topics ?? TOPICS);
  let count = 0;
  await readMessages(kafka, topic, await endsOf(kafka, topic), async (partition, raw: KafkaMessage) => {
    const { messages, letters } = check(decode({ topic, partition, raw: [raw], messages: [], letters: [] }));
    for (const letter of letters) options.onUnfit?.(letter);
    for (const message of messages) await onMessage(message);
    count += messages.length;
    return undefined;
  });
  return count;
}
