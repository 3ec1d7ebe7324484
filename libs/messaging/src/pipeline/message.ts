import type { Topic, TopicName } from '@carbon/contracts';
import type { RequestContext } from '@carbon/observability';
import type { KafkaMessage } from 'kafkajs';
import { z } from 'zod';
import type { PartitionOwnership } from '../consume/partition-ownership.js';

/** Topics by plain name; the contracts' `TOPICS` is one. */
export type TopicTable = Readonly<Record<string, Topic>>;

/** One message, decoded and validated. */
export interface Message<T = unknown> {
  readonly key: string;
  /** `null` is a tombstone, which withdraws the key; only on topics that allow it. */
  readonly value: T | null;
  /** The schema's name, such as `offset.requested.v1`; a tombstone may have none (''). */
  readonly type: string;
  /** Kafka's offset within the partition. */
  readonly position: bigint;
  /** When the broker appended the message. */
  readonly timestamp: Date;
  /** By name; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>;
  /** The request that the message belongs to, with its trace. */
  readonly context: RequestContext;
  /** The message as it was received, byte for byte. */
  readonly raw: KafkaMessage;
}

/** Consecutive messages of one partition: the argument of a handler. */
export interface Batch<T = unknown> {
  readonly topic: TopicName;
  readonly partition: number;
  readonly messages: readonly Message<T>[];
}

/** A message that the handler can never process: it becomes a dead letter, the rest of the batch counts as done. */
export interface RejectedMessage {
  readonly position: bigint;
  /** The reason in one snake_case word; becomes `x-reason-code`. */
  readonly code: string;
  /** The reason, for the log. */
  readonly detail: string;
}

/** A message that is given up, and why. */
export interface DeadLetter {
  readonly raw: KafkaMessage;
  readonly code: string;
  /** The reason, for the log, without the message's data. */
  readonly detail: string;
  /** How often the handler failed with the message. */
  readonly attempts: number;
  readonly firstFailedAt: Date;
}

/** Consecutive messages of one partition on their way through the pipeline. */
export interface PipelineState {
  /** Plain name. */
  readonly topic: string;
  readonly partition: number;
  /** The messages as Kafka delivered them. */
  readonly raw: readonly KafkaMessage[];
  /** The messages that are valid so far. */
  readonly messages: readonly Message[];
  readonly deadLetters: readonly DeadLetter[];
}

/** The pipeline's state, with the ownership of its partition. */
export interface PipelineRun extends PipelineState {
  readonly ownership: Pick<PartitionOwnership, 'check' | 'confirm' | 'sleep' | 'withHeartbeats'>;
}

/** One concern of the pipeline. Once the last step resolves, the position moves past the messages. */
export type Step = (run: PipelineRun) => PipelineRun | Promise<PipelineRun>;

/** Returns a dead letter for a message that no handler received. */
export function invalidMessage(raw: KafkaMessage, code: string, detail: string): DeadLetter {
  return { raw, code, detail, attempts: 0, firstFailedAt: new Date() };
}

/**
 * Splits messages into valid ones and dead letters. A message for which `check` throws is a dead letter, too: an exception
 * would end the consumer, and come back with the message forever.
 */
export function sortMessages<T extends KafkaMessage | Message>(
  input: readonly T[],
  check: (message: T) => Message | DeadLetter,
): Pick<PipelineState, 'messages' | 'deadLetters'> {
  const messages: Message[] = [];
  const deadLetters: DeadLetter[] = [];
  for (const message of input) {
    const outcome = checked(message, check);
    if ('code' in outcome) deadLetters.push(outcome);
    else messages.push(outcome);
  }
  return { messages, deadLetters };
}

function checked<T extends KafkaMessage | Message>(
  message: T,
  check: (message: T) => Message | DeadLetter,
): Message | DeadLetter {
  try {
    return check(message);
  } catch (error) {
    const input: KafkaMessage | Message = message;
    const raw = 'raw' in input ? input.raw : input;
    return invalidMessage(
      raw,
      'unreadable',
      `Reading it failed: ${error instanceof Error ? error.name : typeof error}.`,
    );
  }
}

/** A header of replays; names the dead letter that was replayed. */
export const REPLAY_HEADER = 'x-replay-of';
/** A header of dead letters and replays: when the original was appended. */
export const APPENDED_AT_HEADER = 'x-appended-at';

/** A later time has no RFC 3339 form, and PostgreSQL would refuse it. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const headerTime = z.iso.datetime({ precision: 3 }).transform(Date.parse).pipe(z.number().positive());

/** Returns the time at which the broker appended a message; topics of the system have LogAppendTime. */
export function appendTimeOf({ timestamp }: Pick<KafkaMessage, 'timestamp'>): Date {
  return new Date(Math.min(Math.max(Number(timestamp), 0), LATEST_MS));
}

/**
 * Returns the time at which a message was first appended. The header counts only on a replay of a dead letter, and only when it
 * is earlier than the time at which the broker appended the replay.
 * @param headers the first value of each
 */
export function firstAppendTime(appendedAt: Date, headers: Readonly<Record<string, string>>): Date {
  return headers[REPLAY_HEADER] === undefined ? appendedAt : earlierAppendTime(appendedAt, headers[APPENDED_AT_HEADER]);
}

/** Returns the time in `x-appended-at`, unless it is absent, malformed or later than `appendedAt`. */
export function earlierAppendTime(appendedAt: Date, header: string | undefined): Date {
  const original = headerTime.safeParse(header);
  return original.success && original.data < appendedAt.getTime() ? new Date(original.data) : appendedAt;
}
