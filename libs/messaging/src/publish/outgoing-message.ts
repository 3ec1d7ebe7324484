import { type CloudEventAttributes, cloudEventHeaders, type TopicName } from '@carbon/contracts';
import { currentContext } from '@carbon/observability';
import type { IHeaders } from 'kafkajs';

/** Which request a message goes back to; not part of the event, so not a CloudEvents attribute. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** A message as the apps write it. `null` as the value withdraws the key on a compacted topic. */
export interface OutgoingMessage {
  readonly topic: TopicName;
  readonly key: string;
  readonly value: string | Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message as it lies on the wire: any topic (plain name), bytes and repeated headers kept as they came. */
export interface WireMessage {
  readonly topic: string;
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: IHeaders;
}

/** Room for Kafka's own framing of one record and of each header, a little more than it takes. */
const RECORD_OVERHEAD = 64;
const HEADER_OVERHEAD = 8;

/** Bytes of one message in a request, rounded up. */
export function sizeOf({ key, value, headers }: WireMessage): number {
  let size = RECORD_OVERHEAD + lengthOf(key) + lengthOf(value);
  for (const name of Object.keys(headers)) {
    const values = headers[name];
    if (!Array.isArray(values)) size += HEADER_OVERHEAD + lengthOf(name) + lengthOf(values);
    else for (const one of values) size += HEADER_OVERHEAD + lengthOf(name) + lengthOf(one);
  }
  return size;
}

function lengthOf(part: string | Buffer | null | undefined): number {
  return part == null ? 0 : Buffer.byteLength(part);
}

/** Who and when of an event; its key is the subject, and the topic follows from the type (`offset.requested.v1`). */
export interface EventFacts extends Omit<CloudEventAttributes, 'type'> {
  readonly requestId?: string | undefined;
}

/**
 * An event of the table of topics as a message: CloudEvents attributes in the headers, the data as JSON (`null` withdraws
 * the key). Request id and trace are those of the current context unless the facts bring their own.
 */
export function eventMessage(type: `${TopicName}.v${number}`, data: unknown, facts: EventFacts): OutgoingMessage {
  return writtenEvent(type, data === null ? null : JSON.stringify(data), facts);
}

/** The same of data that is JSON text already, and goes out as it is. */
export function writtenEvent(type: `${TopicName}.v${number}`, json: string | null, facts: EventFacts): OutgoingMessage {
  const context = currentContext();
  const requestId = facts.requestId ?? context?.requestId;
  const traceparent = facts.traceparent ?? context?.traceparent;
  return {
    topic: type.replace(/\.v\d+$/, '') as TopicName,
    key: facts.subject,
    value: json,
    headers: {
      ...cloudEventHeaders({ ...facts, type, traceparent }),
      ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
    },
  };
}
