import { type KafkaHandle, readTopic } from '@carbon/messaging';

/** What Kafka announced about one offset. */
export interface Announced {
  /** Each event once, by id and content: to publish the same one again is allowed. */
  readonly events: Map<string, Set<string>>;
  readonly outcomes: Set<string>;
}

/** Reads every outcome that was ever announced, by offset: a witness beside the clients and the database. */
export async function announcedOutcomes(kafka: KafkaHandle): Promise<Map<string, Announced>> {
  const announced = new Map<string, Announced>();
  for (const topic of ['offset.completed', 'offset.failed'] as const) {
    await readTopic(kafka, topic, ({ key, value, headers }) => {
      const of = announced.get(key) ?? { events: new Map(), outcomes: new Set() };
      const id = headers.ce_id ?? 'without an id';
      of.events.set(id, (of.events.get(id) ?? new Set()).add(JSON.stringify(value)));
      of.outcomes.add(topic.replace('offset.', ''));
      announced.set(key, of);
    });
  }
  return announced;
}
