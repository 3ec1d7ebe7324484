import { z } from 'zod';

/**
 * CloudEvents 1.0, Kafka protocol binding, binary content mode: attributes in `ce_` headers, the data alone as the value
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md).
 */
export interface CloudEventAttributes {
  /** Unique per source: the offset id for a request, offset id and type for an outcome. */
  readonly id: string;
  readonly source: '/gateway' | '/offsets' | '/assets';
  /** The schema's name, such as `offset.requested.v1`. */
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly time: string;
  /** The message key. */
  readonly subject: string;
  /** The W3C trace context of the cause. */
  readonly traceparent?: string | undefined;
}

/** Returns the Kafka headers of an event. */
export function cloudEventHeaders(event: CloudEventAttributes): Record<string, string> {
  return {
    ce_specversion: '1.0',
    ce_id: event.id,
    ce_source: event.source,
    ce_type: event.type,
    ce_time: event.time,
    ce_subject: event.subject,
    'content-type': 'application/json',
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
  };
}

const isoTime = z.iso.datetime({ precision: 3 });
const integer = z.string().regex(/^(0|[1-9][0-9]*)$/);

/** The Kafka headers of every event. Readers must ignore unknown headers. */
export const eventHeadersSchema = z.object({
  ce_specversion: z.literal('1.0').describe('the version of CloudEvents'),
  ce_type: z.string().describe('which event, and which version of its shape'),
  ce_id: z.string().min(1).describe("the event's own id, the same however often it is delivered"),
  ce_source: z.enum(['/gateway', '/offsets', '/assets']).describe('the app or command that published the event'),
  ce_subject: z.string().min(1).describe('what it is about; the same as the key'),
  ce_time: isoTime.describe('when it happened, RFC 3339, UTC'),
  'content-type': z.literal('application/json').describe('the format of the value'),
  traceparent: z
    .string()
    .regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .describe('W3C trace context of the request or command that caused the event'),
  'x-replay-of': z.string().optional().describe('on a replay only: the place of the dead letter'),
  'x-appended-at': isoTime.optional().describe('on a replay only: when the broker appended the original'),
});

/** The headers of `offset.requested`, with the request id; later events have the trace. */
export const requestHeadersSchema = eventHeadersSchema.extend({
  'x-request-id': z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe("the request's id, as in the logs"),
});

/** The headers of a dead letter, besides those of the original. */
export const deadLetterHeadersSchema = z.object({
  'x-reason-code': z
    .string()
    .regex(/^[a-z_]+$/)
    .describe('why, see below'),
  'x-handler': z
    .string()
    .describe('the consumer group that dead-lettered the message; another one may have processed it'),
  'x-topic': z.string().describe('the topic of the original'),
  'x-partition': integer.describe('its partition there'),
  'x-position': integer.describe('its position there'),
  'x-attempts': integer.describe('how often its handler failed with it; 0 if no handler received it'),
  'x-first-failed-at': isoTime.describe('when it failed for the first time'),
  'x-appended-at': isoTime
    .optional()
    .describe('when the broker appended the original, by its own clock; dead letters of an older version lack it'),
  'x-cut-bytes': integer
    .optional()
    .describe('only if the dead letter was too large: how many bytes are missing at the end of the value'),
});

/** The name of a header of dead letters. */
export type DeadLetterHeader = keyof z.output<typeof deadLetterHeadersSchema>;
