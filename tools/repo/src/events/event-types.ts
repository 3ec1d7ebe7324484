import {
  ASSET_FIELDS,
  assetIdSchema,
  cloudEventHeaders,
  eventHeadersSchema,
  offsetIdSchema,
  requestHeadersSchema,
  TOPICS,
  type Topic,
  type TopicFacts,
  type TopicName,
} from '@carbon/contracts';
import { z } from 'zod';

/** A schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A topic of the table, with its name. */
export interface NamedTopic extends Topic, TopicFacts {
  readonly name: TopicName;
}

/** One type of event and everything the documents say about it. */
export interface EventType {
  readonly type: string;
  readonly topic: NamedTopic;
  readonly data: JsonSchema;
  readonly headers: JsonSchema;
  /** Data of golden events, at least one. */
  readonly golden: readonly Readonly<Record<string, unknown>>[];
}

/** Reads the golden events of a type, or returns undefined when there are none. */
export type Golden = (type: string) => unknown[] | undefined;

/** Values for an ID and a trace that never change, so that generated documents can be compared. */
const RANDOM_ID = '6f0c9a52-3b0e-4c55-9d0e-1a2b3c4d5e6f';
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const PUBLISHED_AT = '2026-03-02T10:15:30.123Z';

/** The topics of the table, in its order. */
export const TOPIC_LIST: readonly NamedTopic[] = Object.entries<Topic & TopicFacts>(TOPICS).map(([name, topic]) => ({
  ...topic,
  name: name as TopicName,
}));

/**
 * Returns JSON Schema draft 07, which AsyncAPI 3.0 uses, of a schema's input: it allows unknown members, as consumers must.
 */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-07', io: 'input' });
  return plain;
}

/** Returns the members of an object's schema, by name. */
export function membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** Returns the schema of a topic's keys. */
export function keyOf({ key }: Topic): JsonSchema {
  return jsonSchema((key === 'offset id' ? offsetIdSchema : assetIdSchema).describe(`the ${key}`));
}

/** Returns every type of event of a topic, oldest first. @throws when its golden events are missing */
export function eventTypesOf(topic: NamedTopic, golden: Golden): EventType[] {
  return Object.entries<z.ZodType>(topic.types).map(([type, schema]) => ({
    type,
    topic,
    data: dataOf(topic, schema),
    headers: headersOf(topic, type),
    golden: goldenOf(type, golden),
  }));
}

function goldenOf(type: string, golden: Golden): EventType['golden'] {
  const events = golden(type) ?? [];
  if (events.length > 0) return events as EventType['golden'];
  throw new Error(
    `${type} has no example: write libs/contracts/golden/${type}.json, a list with the data of at least one event`,
  );
}

/** The asset's schema has no descriptions; the table of asset fields has them. */
function dataOf({ name }: NamedTopic, schema: z.ZodType): JsonSchema {
  const data = jsonSchema(schema);
  if (name !== 'asset.published') return data;
  const fields: Readonly<Record<string, object>> = { type: { description: 'which kind of asset' }, ...ASSET_FIELDS };
  const members = Object.entries(membersOf(data)).map(([member, own]) => [member, { ...fields[member], ...own }]);
  return { ...data, properties: Object.fromEntries(members) };
}

function headersOf({ name, source }: NamedTopic, type: string): JsonSchema {
  const all = name === 'offset.requested' ? requestHeadersSchema : eventHeadersSchema;
  const about = (header: keyof typeof eventHeadersSchema.shape) =>
    z.globalRegistry.get(eventHeadersSchema.shape[header])?.description ?? '';
  return jsonSchema(
    all.extend({
      ce_type: z.literal(type).describe(about('ce_type')),
      ce_source: z.literal(source).describe(about('ce_source')),
    }),
  );
}

/** Returns an example of an event, or of the tombstone that withdraws it. @throws when its data lacks the time of the event */
export function exampleOf({ type, topic }: EventType, name: string, data: EventType['golden'][number]) {
  const key = String(data.id);
  const ids = { key, 'key and type': `${key}.${type}`, random: RANDOM_ID };
  const time = topic.time === null ? PUBLISHED_AT : data[topic.time];
  if (typeof time !== 'string')
    throw new Error(
      `an example of ${type} has no ${topic.time}, the time of its event: change \`time\` of ${topic.name} in libs/contracts/src/topics.ts, or libs/contracts/golden/${type}.json`,
    );
  const headers = cloudEventHeaders({
    id: ids[topic.eventId],
    source: topic.source,
    type,
    time,
    subject: key,
    traceparent: topic.eventId === 'random' ? undefined : TRACEPARENT,
  });
  return { name, headers, payload: data };
}
