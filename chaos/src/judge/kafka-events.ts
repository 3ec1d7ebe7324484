import { type KafkaHandle, type Message, readTopic, topicEnds } from '@carbon/messaging';

/** The published events of one offset. */
export interface PublishedEvents {
  /** Each event once, by id and content: it may be published again. */
  readonly events: Map<string, Set<string>>;
  readonly outcomes: Set<string>;
}

/** Every published outcome by offset, and messages that are not events. */
export interface PublishedOutcomes {
  readonly byOffset: ReadonlyMap<string, PublishedEvents>;
  readonly unreadable: readonly string[];
}

/** Reads the outcome topics from their beginnings, as a record besides the clients and the database. */
export async function readPublishedOutcomes(kafka: KafkaHandle): Promise<PublishedOutcomes> {
  const byOffset = new Map<string, PublishedEvents>();
  const unreadable: string[] = [];
  for (const topic of ['offset.completed', 'offset.failed'] as const) {
    const take = ({ key, value, headers }: Message) => {
      const of = byOffset.get(key) ?? { events: new Map(), outcomes: new Set() };
      const id = headers.ce_id ?? 'without an id';
      of.events.set(id, (of.events.get(id) ?? new Set()).add(JSON.stringify(value)));
      of.outcomes.add(topic.replace('offset.', ''));
      byOffset.set(key, of);
    };
    const unfit: string[] = [];
    const ends = await topicEnds(kafka, topic);
    const read = await readTopic(kafka, topic, take, {
      onInvalid: ({ raw, code, detail }) => unfit.push(`${topic}, position ${raw.offset}: ${code}, ${detail}`),
    });
    unreadable.push(...unfit);
    const held = ends.reduce((sum, { begin, end }) => sum + Number(end - begin), 0);
    if (read + unfit.length < held)
      unreadable.push(`${topic}: ${held - read - unfit.length} of ${held} events were not read`);
  }
  return { byOffset, unreadable };
}
