import type { TopicName } from '@carbon/contracts';
import { type KafkaHandle, readTopic } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import type { TestSystem } from './system.js';

/** Everything that is visible of one offset's outcome. */
export interface SeenOutcome {
  readonly view: unknown;
  readonly receipt: unknown;
  /** Ids and data of its events, each as often as it was published. */
  readonly events: readonly { readonly id: string | undefined; readonly type: string; readonly data: unknown }[];
}

const IN_FLIGHT = 8;

/** Reads what is visible of these offsets now; an offset that cannot be read for a minute is an error. */
export async function seenOutcomes(app: TestSystem, ids: Iterable<string>): Promise<Map<string, SeenOutcome>> {
  const events = await eventsByOffset(app);
  const seen = new Map<string, SeenOutcome>();
  const waiting = [...ids];
  const reader = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const view = await read(app, `/v1/offsets?id=${id}`);
      const receipt = await read(app, `/v1/retirements?offset=${id}`);
      seen.set(id, { view, receipt, events: events.get(id) ?? [] });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, reader));
  return new Map([...seen].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A process may be restarting, and respond with 503. */
function read(app: TestSystem, path: string): Promise<unknown> {
  return eventually(async () => {
    const answer = await app.client.get(path);
    if (answer.kind !== 'answer' || answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  });
}

async function eventsByOffset(app: TestSystem): Promise<Map<string, SeenOutcome['events'][number][]>> {
  const events = new Map<string, SeenOutcome['events'][number][]>();
  for (const topic of ['offset.completed', 'offset.failed'] as const) {
    await readTopic(app.kafka, topic, ({ key, value, headers }) => {
      events.set(key, [...(events.get(key) ?? []), { id: headers.ce_id, type: topic, data: value }]);
    });
  }
  return events;
}

/** Returns the ids of a topic's events by offset, without repetitions. */
export async function eventIdsByOffset(kafka: KafkaHandle, topic: TopicName): Promise<Map<string, Set<string>>> {
  const ids = new Map<string, Set<string>>();
  await readTopic(kafka, topic, ({ key, headers }) => {
    ids.set(key, (ids.get(key) ?? new Set()).add(headers.ce_id ?? 'none'));
  });
  return ids;
}
