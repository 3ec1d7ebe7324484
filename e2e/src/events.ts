import { deadLetterTopic, type TopicName } from '@carbon/contracts';
import { endsOf, type KafkaHandle, readMessages, readTopic } from '@carbon/messaging';

/** The ids of a topic's events by the offset that they are about: how often one was published does not show. */
export async function eventIdsByOffset(kafka: KafkaHandle, topic: TopicName): Promise<Map<string, Set<string>>> {
  const ids = new Map<string, Set<string>>();
  await readTopic(kafka, topic, ({ key, headers }) => {
    ids.set(key, (ids.get(key) ?? new Set()).add(headers.ce_id ?? 'none'));
  });
  return ids;
}

/** The data of the events about one offset, each as often as it was published. */
export async function eventsAbout(kafka: KafkaHandle, topic: TopicName, offset: string): Promise<unknown[]> {
  const events: unknown[] = [];
  await readTopic(kafka, topic, ({ key, value }) => {
    if (key === offset) events.push(value);
  });
  return events;
}

/** Why the dead letters of a topic are there: the offset that each is about and its reason code, oldest first. */
export async function deadLetterReasons(kafka: KafkaHandle, topic: TopicName): Promise<[key: string, code: string][]> {
  const reasons: [string, string][] = [];
  const letters = deadLetterTopic(topic);
  await readMessages(kafka, letters, await endsOf(kafka, letters), (_, { key, headers }) => {
    reasons.push([String(key), String(headers?.['x-reason-code'])]);
    return undefined;
  });
  return reasons;
}
