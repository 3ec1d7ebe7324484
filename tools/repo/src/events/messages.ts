import { deadLetterHeadersSchema } from '@carbon/contracts';
import { withdrawalName } from './channels.js';
import { type EventType, eventTypesOf, keyOf, TOPIC_LIST } from './event-types.js';
import { exampleOf, withdrawalOf } from './examples.js';
import { jsonSchema } from './json-schema.js';

const BINDING = '0.5.0';
const JSON_TYPE = 'application/json';

/** Golden data of a type of event. */
export type Golden = (type: string) => readonly unknown[];

/** Every message: each type of event, the withdrawals, and the dead letter. */
export function messages(golden: Golden): Record<string, object> {
  const events = TOPIC_LIST.flatMap(({ name, topic }) =>
    eventTypesOf(name).flatMap((event) => {
      const key = keyOf(topic);
      const all = [[event.type, eventMessage(event, key, golden)]] as [string, object][];
      if (topic.tombstones) all.push([withdrawalName(event.type), withdrawal(event, key, golden)]);
      return all;
    }),
  );
  return { ...Object.fromEntries(events), deadLetter: deadLetter() };
}

const bindingOf = (key: object) => ({ kafka: { key, bindingVersion: BINDING } });
const refTo = (type: string) => ({ $ref: `#/components/schemas/${type}` });

function eventMessage(event: EventType, key: object, golden: Golden) {
  const examples = golden(event.type).map((data, at) => exampleOf(event, data, `${event.type}-${at + 1}`));
  return {
    name: event.type,
    title: event.type,
    summary: event.facts.summary.replace(/;.*$/, '.'),
    contentType: JSON_TYPE,
    headers: event.headers,
    payload: refTo(event.type),
    bindings: bindingOf(key),
    examples,
  };
}

function withdrawal(event: EventType, key: object, golden: Golden) {
  const name = withdrawalName(event.type);
  return {
    name,
    title: name,
    summary: 'A tombstone: the key is withdrawn. The value is null, in Kafka’s sense: no bytes at all.',
    contentType: JSON_TYPE,
    headers: event.headers,
    payload: { type: 'null' },
    bindings: bindingOf(key),
    examples: golden(event.type)
      .slice(0, 1)
      .map((data) => withdrawalOf(event, data, `${name}-1`)),
  };
}

function deadLetter() {
  return {
    name: 'deadLetter',
    title: 'dead letter',
    summary: 'A message as it came, byte for byte, with headers that say why it is here.',
    description: 'Its own headers are kept. Its key and its value may be anything, none included.',
    contentType: 'application/octet-stream',
    headers: jsonSchema(deadLetterHeadersSchema),
  };
}
