import { deadLetterTopic, type TopicName } from '@carbon/contracts';
import {
  appendTimeOf,
  earlierAppendTime,
  DEAD_LETTER_HEADERS as HEADERS,
  type MessageContent,
  REPLAY_HEADER,
} from '@carbon/messaging';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { Place } from './place.js';

/** Where a message lay before it was given up. */
export interface Origin {
  readonly partition: number;
  readonly position: bigint;
}

/** A message that a consumer gave up, and what it wrote beside it. */
export interface DeadLetter {
  readonly place: Place;
  /** When Kafka wrote the letter down. */
  readonly at: Date;
  readonly reason: string;
  /** The group that gave up. */
  readonly handler: string | undefined;
  readonly attempts: number | undefined;
  readonly firstFailedAt: string | undefined;
  /** When the broker appended the original; of a letter that does not say it, when the letter was written. */
  readonly appendedAt: Date;
  readonly origin: Origin | undefined;
  /** How many bytes of the value were left out because the letter was too large; 0 for a whole one. */
  readonly cutBytes: number;
  /** As it came, byte for byte, but for what was cut. */
  readonly raw: KafkaMessage;
}

/** Says why a message on a dead-letter topic is one that no consumer put there. */
const UNKNOWN_REASON = 'unknown';

/** A message of a dead-letter topic as a letter, whatever it is: what cannot be read of it is left open. */
export function letterOf(topic: TopicName, raw: KafkaMessage): DeadLetter {
  const { headers } = raw;
  const partition = wholeNumber(textOf(headers, HEADERS.partition));
  const position = wholeNumber(textOf(headers, HEADERS.position));
  const at = appendTimeOf(raw);
  return {
    place: { topic, position: BigInt(raw.offset) },
    at,
    reason: textOf(headers, HEADERS.reason) ?? UNKNOWN_REASON,
    handler: textOf(headers, HEADERS.handler),
    attempts: numberOf(textOf(headers, HEADERS.attempts)),
    firstFailedAt: textOf(headers, HEADERS.firstFailedAt),
    appendedAt: earlierAppendTime(at, textOf(headers, HEADERS.appendedAt)),
    origin: partition === undefined || position === undefined ? undefined : { partition: Number(partition), position },
    cutBytes: numberOf(textOf(headers, HEADERS.cutBytes)) ?? 0,
    raw,
  };
}

/** The message as it was before it was a letter, but for what was cut. */
export function contentOf({ raw }: DeadLetter): MessageContent {
  const ours: readonly string[] = Object.values(HEADERS);
  const headers = Object.entries(raw.headers ?? {}).filter(([name]) => !ours.includes(name));
  return { key: raw.key, value: raw.value, headers: Object.fromEntries(headers) };
}

/** The headers that mark a message as the replay of a letter, and keep the time at which the original was appended. */
export function replayHeaders({ place, appendedAt }: DeadLetter): Record<string, string> {
  return {
    [REPLAY_HEADER]: `${deadLetterTopic(place.topic)}:${place.position}`,
    [HEADERS.appendedAt]: appendedAt.toISOString(),
  };
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
