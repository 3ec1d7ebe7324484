import { cloudEventHeaders, type Topic } from '@carbon/contracts';
import type { EventType } from './event-types.js';

/** What a random id and a trace may look like; the same at each making, so that documents can be compared. */
const RANDOM = '6f0c9a52-3b0e-4c55-9d0e-1a2b3c4d5e6f';
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const PUBLISHED_AT = '2026-03-02T10:15:30.123Z';

/** The members of events' data from which their headers follow. */
interface Dated {
  readonly id: string;
  readonly createdAt?: string;
  readonly completedAt?: string;
  readonly failedAt?: string;
}

/** An event as it lies on its topic, made of golden data. */
export function exampleOf({ type, facts }: Pick<EventType, 'type' | 'facts'>, data: unknown, name: string) {
  return { name, headers: exampleHeaders(type, facts, data as Dated), payload: data };
}

/** The message that withdraws the asset of golden data. */
export function withdrawalOf({ type, facts }: Pick<EventType, 'type' | 'facts'>, data: unknown, name: string) {
  return { name, headers: exampleHeaders(type, facts, data as Dated), payload: null };
}

function exampleHeaders(type: string, facts: Topic, data: Dated): Record<string, string> {
  const ids = { key: data.id, 'key and type': `${data.id}.${type}`, random: RANDOM };
  return cloudEventHeaders({
    id: ids[facts.eventId],
    source: facts.source,
    type,
    time: data.completedAt ?? data.failedAt ?? data.createdAt ?? PUBLISHED_AT,
    subject: data.id,
    traceparent: facts.eventId === 'random' ? undefined : TRACEPARENT,
  });
}
