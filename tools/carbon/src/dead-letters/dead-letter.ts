import { deadLetterTopic, TOPICS, type TopicName } from '@carbon/contracts';
import {
  appendTimeOf,
  DEAD_LETTER_HEADERS,
  earlierAppendTime,
  type MessageContent,
  REPLAY_HEADER,
} from '@carbon/messaging';
import type { IHeaders, KafkaMessage } from 'kafkajs';

/** Names a dead letter. Dead-letter topics have one partition, so a position is enough. */
export interface DeadLetterId {
  /** The topic of the original message. */
  readonly topic: TopicName;
  /** The position on the dead-letter topic. */
  readonly position: bigint;
}

/** Where the original message was. */
export interface Origin {
  readonly partition: number;
  readonly position: bigint;
}

/** A message that a consumer could not process, with the facts that the consumer added. */
export interface DeadLetter {
  readonly id: DeadLetterId;
  /** When Kafka appended the dead letter. */
  readonly at: Date;
  readonly reason: string;
  /** The consumer group. */
  readonly handler: string | undefined;
  readonly attempts: number | undefined;
  readonly firstFailedAt: string | undefined;
  /** When the broker appended the original; without that header, when it appended the dead letter. */
  readonly appendedAt: Date;
  readonly origin: Origin | undefined;
  /** How many bytes of the value were cut off because the dead letter was too large. */
  readonly cutBytes: number;
  /** The bytes as they came, except for what was cut off. */
  readonly raw: KafkaMessage;
}

/** Selects dead letters. */
export interface DeadLetterFilter {
  readonly topic?: TopicName | undefined;
  readonly reason?: string | undefined;
  /** Dead letters of this time or later. */
  readonly since?: Date | undefined;
}

const SUFFIX = '.dead-letter';
const MAX_POSITION_DIGITS = 19;
/** The reason of a message that no consumer put on the dead-letter topic. */
const UNKNOWN_REASON = 'unknown';
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Finds a topic by its name or that of its dead-letter topic. */
export function topicNamed(text: string): TopicName | undefined {
  const name = text.endsWith(SUFFIX) ? text.slice(0, -SUFFIX.length) : text;
  return Object.hasOwn(TOPICS, name) ? (name as TopicName) : undefined;
}

/** Parses `offset.requested:17`. */
export function parseDeadLetterId(text: string): DeadLetterId | undefined {
  const [, name = '', position = ''] = /^([^:]+):([0-9]+)$/.exec(text) ?? [];
  const topic = topicNamed(name);
  if (topic === undefined || position.length > MAX_POSITION_DIGITS) return undefined;
  return { topic, position: BigInt(position) };
}

/** Formats an id as `offset.requested:17`. */
export function formatId({ topic, position }: DeadLetterId): string {
  return `${topic}:${position}`;
}

/** Returns the topics that a filter selects. */
export function topicsOf({ topic }: DeadLetterFilter): TopicName[] {
  return topic === undefined ? (Object.keys(TOPICS) as TopicName[]) : [topic];
}

/** Reads any message of a dead-letter topic. Headers that are missing or malformed are left undefined. */
export function deadLetterOf(topic: TopicName, raw: KafkaMessage): DeadLetter {
  const header = (name: keyof typeof DEAD_LETTER_HEADERS) => textOf(raw.headers, DEAD_LETTER_HEADERS[name]);
  const partition = wholeNumber(header('partition'));
  const position = wholeNumber(header('position'));
  const at = appendTimeOf(raw);
  return {
    id: { topic, position: BigInt(raw.offset) },
    at,
    reason: header('reason') ?? UNKNOWN_REASON,
    handler: header('handler'),
    attempts: numberOf(header('attempts')),
    firstFailedAt: header('firstFailedAt'),
    appendedAt: earlierAppendTime(at, header('appendedAt')),
    origin: partition === undefined || position === undefined ? undefined : { partition: Number(partition), position },
    cutBytes: numberOf(header('cutBytes')) ?? 0,
    raw,
  };
}

/** Returns the original message, except for what was cut off. */
export function contentOf({ raw }: DeadLetter): MessageContent {
  const added: readonly string[] = Object.values(DEAD_LETTER_HEADERS);
  const headers = Object.entries(raw.headers ?? {}).filter(([name]) => !added.includes(name));
  return { key: raw.key, value: raw.value, headers: Object.fromEntries(headers) };
}

/** Returns the headers that mark a message as a replay, and keep the time at which the original was appended. */
export function replayHeaders({ id, appendedAt }: DeadLetter): Record<string, string> {
  return {
    [REPLAY_HEADER]: `${deadLetterTopic(id.topic)}:${id.position}`,
    [DEAD_LETTER_HEADERS.appendedAt]: appendedAt.toISOString(),
  };
}

/** Returns bytes as text when they are UTF-8, else as hexadecimal digits. */
export function decoded(bytes: Buffer): { readonly text: string } | { readonly hex: string } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { hex: bytes.toString('hex') };
  }
}

function textOf(headers: IHeaders | undefined, name: string): string | undefined {
  const value = headers?.[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last?.toString();
}

function wholeNumber(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  const number = wholeNumber(text);
  return number === undefined ? undefined : Number(number);
}
