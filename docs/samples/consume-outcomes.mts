// Prints the outcome of each offset once. Needs Node 24 and `npm install kafkajs`; run: node consume-outcomes.mts
import { type EachMessagePayload, Kafka, logLevel } from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:29092', GROUP_ID = 'my-service', TOPIC_PREFIX = '' } = process.env;
const TOPICS = ['offset.completed', 'offset.failed'].map((topic) => TOPIC_PREFIX + topic);

// A database would have these ids as a primary key, written in the transaction of the work.
const processed = new Set<string>();

interface Outcome {
  readonly id: string;
  readonly grams?: string;
  readonly code?: string;
}

function handle({ topic, partition, message }: EachMessagePayload): void {
  const type = message.headers?.ce_type?.toString();
  const eventId = message.headers?.ce_id?.toString();
  // Types and members that this program does not know are not errors.
  if (type !== 'offset.completed.v1' && type !== 'offset.failed.v1') return;
  if (eventId === undefined || processed.has(eventId)) return;
  let event: Outcome;
  try {
    event = JSON.parse(message.value?.toString() ?? '') as Outcome;
    if (typeof event !== 'object' || event === null || Array.isArray(event)) throw new Error();
  } catch {
    // A retry cannot make it valid, and it must not block the messages after it.
    console.error(`skipped: ${topic} ${partition}:${message.offset} is not a JSON object`);
    return;
  }
  const { id, grams, code } = event;
  // Weights are whole grams as text: a number loses digits beyond 2^53.
  console.log(type === 'offset.completed.v1' ? `${id} completed ${grams} grams` : `${id} failed ${code}`);
  processed.add(eventId);
}

const consumer = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.WARN }).consumer({
  groupId: GROUP_ID,
});
await consumer.connect();
// A group without a position starts at the oldest message, not at the next one.
await consumer.subscribe({ topics: TOPICS, fromBeginning: true });
// Commits the position of what has been handled, never of what has not.
await consumer.run({ eachMessage: async (payload) => handle(payload) });
process.once('SIGTERM', () => void consumer.disconnect());
process.once('SIGINT', () => void consumer.disconnect());
