import { z } from 'zod';

const isoTime = z.iso.datetime({ precision: 3 });
const whole = z.string().regex(/^(0|[1-9][0-9]*)$/);

/** Kafka headers of every event. Readers must bear headers that they do not know. */
export const eventHeadersSchema = z.object({
  ce_specversion: z.literal('1.0').describe('the version of CloudEvents'),
  ce_type: z.string().describe('which event, and which version of its shape'),
  ce_id: z.string().min(1).describe("the event's own id, the same however often it is delivered"),
  ce_source: z.enum(['/gateway', '/offsets', '/assets']).describe('who says so'),
  ce_subject: z.string().min(1).describe('what it is about; the same as the key'),
  ce_time: isoTime.describe('when it happened, RFC 3339, UTC'),
  'content-type': z.literal('application/json').describe('of the value'),
  traceparent: z
    .string()
    .regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .describe('W3C trace context of the request that began it'),
  'x-replay-of': z.string().optional().describe('on a replay only: the dead letter that it was'),
  'x-appended-at': isoTime.optional().describe('on a replay only: when the broker appended the original'),
});

/** The request's id, on the one event that is written while a client waits; what follows is found by the trace. */
export const requestHeadersSchema = eventHeadersSchema.extend({
  'x-request-id': z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe("that request's id, as in the logs"),
});

/** What a dead letter has besides the headers that it came with. */
export const deadLetterHeadersSchema = z.object({
  'x-reason-code': z
    .string()
    .regex(/^[a-z_]+$/)
    .describe('why, see below'),
  'x-handler': z.string().describe('the consumer group that gave up; another one may have taken the same message'),
  'x-topic': z.string().describe('the topic on which the original lies'),
  'x-partition': whole.describe('its partition there'),
  'x-position': whole.describe('its position there'),
  'x-attempts': whole.describe('how often its handler failed with it; 0 when it never got there'),
  'x-first-failed-at': isoTime.describe('when it failed for the first time'),
  'x-appended-at': isoTime
    .optional()
    .describe('when the broker appended the original, by its own clock; letters of an older version lack it'),
  'x-cut-bytes': whole
    .optional()
    .describe('only where the letter was too large: how much is missing at the end of the value'),
});

/** The name of a header that makes a message a dead letter. */
export type DeadLetterHeader = keyof z.output<typeof deadLetterHeadersSchema>;
