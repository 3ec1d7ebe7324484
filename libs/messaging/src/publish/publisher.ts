import { type CloudEventAttributes, cloudEventHeaders, type TopicName, topicOf } from '@carbon/contracts';
import { currentContext } from '@carbon/observability';
import type { IHeaders } from 'kafkajs';

/** The ID of the request that caused a message; no CloudEvents attribute, because it is not part of the event. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** A message as the apps create it. A `null` value is a tombstone on a compacted topic. */
export interface OutgoingMessage {
  readonly topic: TopicName;
  readonly key: string;
  readonly value: string | Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message as it is on the wire: any topic (plain name), bytes and repeated headers unchanged. */
export interface WireMessage {
  readonly topic: string;
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: IHeaders;
}

/** Where Kafka appended a message. */
export interface RecordPosition {
  readonly partition: number;
  /** The position in the partition (Kafka calls it an offset). */
  readonly position: bigint;
}

/** Options of one publish. */
export interface PublishOptions {
  /** Milliseconds until the promise settles, whatever happens. */
  readonly deadlineMs?: number;
}

/** An event's attributes; its key is the subject, and the topic follows from the type (`offset.requested.v1`). */
export interface EventFacts extends Omit<CloudEventAttributes, 'type'> {
  readonly requestId?: string | undefined;
}

/**
 * Returns an event as a message: CloudEvents attributes in the headers, the data as JSON (`null` is a tombstone). Request ID and
 * trace are those of the current context unless `facts` has its own.
 */
export function eventMessage(type: `${TopicName}.v${number}`, data: unknown, facts: EventFacts): OutgoingMessage {
  return jsonEventMessage(type, data === null ? null : JSON.stringify(data), facts);
}

/** Returns an event as `eventMessage` does, of data that is JSON text already. */
export function jsonEventMessage(
  type: `${TopicName}.v${number}`,
  json: string | null,
  facts: EventFacts,
): OutgoingMessage {
  const context = currentContext();
  const requestId = facts.requestId ?? context?.requestId;
  const traceparent = facts.traceparent ?? context?.traceparent;
  return {
    topic: topicOf(type),
    key: facts.subject,
    value: json,
    headers: {
      ...cloudEventHeaders({ ...facts, type, traceparent }),
      ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
    },
  };
}

const REASONS = {
  full: 'too many messages are in flight',
  unreachable: 'Kafka has been unreachable for a while',
  deadline: 'Kafka did not become ready in time',
  closing: 'the publisher is closing',
  refused: 'Kafka refuses it',
} as const;

/** Why a message was not published. */
export type NotPublishedReason = keyof typeof REASONS;

/** The message was not sent and never will be: publishing it again is safe. */
export class NotPublished extends Error {
  override readonly name = 'NotPublished';
  constructor(
    readonly reason: NotPublishedReason,
    options?: ErrorOptions,
  ) {
    super(`Not published: ${REASONS[reason]}.`, options);
  }
}

/** The message was sent but not confirmed. A send cannot be cancelled: the message may be appended, or still be. */
export class PublishOutcomeUnknown extends Error {
  override readonly name = 'PublishOutcomeUnknown';
  constructor(options?: ErrorOptions) {
    super('Sent to Kafka, but not confirmed in time.', options);
  }
}

/** The message is larger than the publisher allows. Publishing it again does not help. */
export class MessageTooLarge extends RangeError {
  override readonly name = 'MessageTooLarge';
  constructor(bytes: number, limit: number) {
    super(`A message of ${bytes} bytes is larger than the ${limit} allowed. Make it smaller.`);
  }
}

/** Broker errors about the connection, not about messages: the next connection may be authenticated. */
const AUTHENTICATION = ['SASL_AUTHENTICATION_FAILED', 'ILLEGAL_SASL_STATE', 'UNSUPPORTED_SASL_MECHANISM'];
const MAX_CAUSES = 5;

/** Returns whether a broker refused the messages permanently, so that sending them again changes nothing. */
export function isPermanent(error: unknown, depth = 0): boolean {
  if (depth > MAX_CAUSES || !(error instanceof Error)) return false;
  // kafkajs' own errors are not retriable once it has stopped retrying, so only the broker's error counts.
  if (error.name === 'KafkaJSProtocolError') {
    const isAboutConnection = 'type' in error && AUTHENTICATION.some((type) => type === error.type);
    return 'retriable' in error && error.retriable === false && !isAboutConnection;
  }
  return isPermanent(error.cause, depth + 1);
}

/** Returns whether the publisher or the broker says that a message is too large. */
export function isMessageTooLarge(error: unknown, depth = 0): boolean {
  if (depth > MAX_CAUSES || !(error instanceof Error)) return false;
  if (error instanceof MessageTooLarge || ('type' in error && error.type === 'MESSAGE_TOO_LARGE')) return true;
  return isMessageTooLarge(error.cause, depth + 1);
}
