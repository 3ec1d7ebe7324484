import { TOPICS, type Topic } from '@carbon/contracts';
import { requestIdOf } from '@carbon/http';
import { createContext, runInContext } from '@carbon/observability';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { z } from 'zod';
import { REQUEST_ID_HEADER } from '../publish/publisher.js';
import {
  appendTimeOf,
  type DeadLetter,
  invalidMessage,
  type Message,
  type PipelineState,
  sortMessages,
  type TopicTable,
} from './message.js';
import type { HandleBatch } from './retry.js';

const MAX_ISSUES = 3;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The parts of a message that its validity depends on. */
export interface MessageContent {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders | undefined;
}

/**
 * Step 1: decodes key, headers and JSON, and gives each message the context of its request, so that a log line here is found from a
 * request there. What is not UTF-8, not JSON or without a key becomes a dead letter.
 */
export function decode<T extends PipelineState>(run: T): T {
  return { ...run, ...sortMessages(run.raw, decodeOne) };
}

function decodeOne(raw: KafkaMessage): Message | DeadLetter {
  const key = decodeText(raw.key);
  if (key === undefined || key === '') return invalidMessage(raw, 'invalid_key', 'The key is missing or not UTF-8.');
  const value = decodeValue(raw.value);
  if (value === undefined) return invalidMessage(raw, 'invalid_json', 'The value is not JSON in UTF-8.');
  const headers = firstHeaderValues(raw.headers);
  return {
    key,
    value: value.json,
    type: headers.ce_type ?? '',
    position: BigInt(raw.offset),
    timestamp: appendTimeOf(raw),
    headers,
    context: contextFrom(headers),
    raw,
  };
}

function decodeText(bytes: Buffer | null): string | undefined {
  if (bytes === null) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A null value is a tombstone; the JSON word `null` is not, and fits no schema. */
function decodeValue(bytes: Buffer | null): { json: unknown } | undefined {
  if (bytes === null) return { json: null };
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return json === null ? undefined : { json };
  } catch {
    return undefined;
  }
}

/** Returns headers by name as text; of a repeated header the first value. */
export function firstHeaderValues(headers: IHeaders | undefined): Record<string, string> {
  const entries: [string, string][] = [];
  for (const name in headers) {
    const values: IHeaders[string] | null = headers[name];
    // A value may be null, against kafkajs' types; that counts as no header.
    const value = Array.isArray(values) ? values.find((one) => one !== undefined && one !== null) : values;
    if (value !== undefined && value !== null) entries.push([name, value.toString()]);
  }
  // Not by assignment: a header may be called __proto__.
  return Object.fromEntries(entries);
}

/**
 * Step 2: validates each value against the schema that its `ce_type` names, and that an asset is under its own id. Unknown members
 * are left out, so that a writer may be a version ahead; an unknown type is a dead letter.
 */
export function validate(topics: TopicTable): <T extends PipelineState>(run: T) => T {
  return (run) => {
    const topic = topics[run.topic];
    if (topic === undefined) throw new Error(`There is no topic ${run.topic} in the table of topics.`);
    const { messages, deadLetters } = sortMessages(run.messages, (message) => validateOne(topic, message));
    return { ...run, messages, deadLetters: [...run.deadLetters, ...deadLetters] };
  };
}

function validateOne(topic: Topic, message: Message): Message | DeadLetter {
  const { raw, type, value } = message;
  if (value === null) {
    if (topic.tombstones) return message;
    return invalidMessage(raw, 'unexpected_tombstone', 'The topic allows no tombstones.');
  }
  const schema = Object.hasOwn(topic.types, type) ? topic.types[type] : undefined;
  if (schema === undefined)
    return invalidMessage(raw, 'unknown_type', 'The header ce_type is not a type of the topic.');
  const result = schema.safeParse(value);
  if (!result.success) return invalidMessage(raw, 'invalid_data', issuesOf(result.error));
  // Only assets: their topic is compacted by key. An offset is recorded by the id in its request, whatever the key.
  if (topic.key === 'asset id' && (idOf(result.data) ?? message.key) !== message.key)
    return invalidMessage(raw, 'key_mismatch', 'The key is not the id of the asset.');
  return { ...message, value: result.data };
}

function issuesOf({ issues }: z.ZodError): string {
  const first = issues.slice(0, MAX_ISSUES);
  return first.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
}

/** Returns why a consumer of the topic would dead-letter a message before its handler receives it, or undefined. */
export function invalidReason(
  topic: string,
  { key, value, headers = {} }: MessageContent,
): Pick<DeadLetter, 'code' | 'detail'> | undefined {
  const raw = { key, value, headers, timestamp: '0', attributes: 0, offset: '0' };
  return validate(TOPICS)(decode({ topic, partition: 0, raw: [raw], messages: [], deadLetters: [] })).deadLetters[0];
}

/** Runs the handler in the context of its only message, or of several messages in a new one. */
export function inContext(handle: HandleBatch): HandleBatch {
  return (batch) => {
    const [first, ...others] = batch.messages;
    const context = first !== undefined && others.length === 0 ? first.context : contextFrom({});
    return runInContext(context, () => handle(batch));
  };
}

function contextFrom(headers: Readonly<Record<string, string>>) {
  return createContext(requestIdOf(headers[REQUEST_ID_HEADER]), headers.traceparent);
}
