import {
  ASSET_FIELDS,
  assetIdSchema,
  eventHeadersSchema,
  offsetIdSchema,
  requestHeadersSchema,
  TOPICS,
  type Topic,
  type TopicName,
} from '@carbon/contracts';
import { z } from 'zod';
import { described, type JsonSchema, jsonSchema } from './json-schema.js';

/** Everything that is known of one type of event. */
export interface EventType {
  readonly type: string;
  readonly topic: TopicName;
  readonly facts: Topic;
  readonly data: JsonSchema;
  readonly headers: JsonSchema;
}

/** The topics with their names, in the order of the table. */
export const TOPIC_LIST = (Object.entries(TOPICS) as [TopicName, Topic][]).map(([name, topic]) => ({
  name,
  topic,
  facts: topic,
}));

/** The form of a topic's keys. */
export function keyOf({ key }: Topic): JsonSchema {
  return jsonSchema((key === 'offset id' ? offsetIdSchema : assetIdSchema).describe(`the ${key}`));
}

/** Every type of event of a topic, oldest first. */
export function eventTypesOf(topic: TopicName): EventType[] {
  const facts = TOPICS[topic];
  return Object.entries<z.ZodType>(TOPICS[topic].types).map(([type, schema]) => ({
    type,
    topic,
    facts,
    data: dataOf(topic, schema),
    headers: headersOf(topic, type),
  }));
}

function dataOf(topic: TopicName, schema: z.ZodType): JsonSchema {
  const data = jsonSchema(schema);
  return topic === 'asset.published'
    ? described(data, { type: { description: 'which kind of asset' }, ...ASSET_FIELDS })
    : data;
}

function headersOf(topic: TopicName, type: string): JsonSchema {
  const all = topic === 'offset.requested' ? requestHeadersSchema : eventHeadersSchema;
  return jsonSchema(
    all.extend({
      ce_type: z.literal(type).describe(about('ce_type')),
      ce_source: z.literal(TOPICS[topic].source).describe(about('ce_source')),
    }),
  );
}

function about(header: keyof typeof eventHeadersSchema.shape): string {
  return z.globalRegistry.get(eventHeadersSchema.shape[header])?.description ?? '';
}
