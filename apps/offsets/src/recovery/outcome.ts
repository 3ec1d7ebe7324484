import { type OffsetCompletedV1, type OffsetFailedV1, offsetCompletedV1, offsetFailedV1 } from '@carbon/contracts';
import type { OnRawMessage } from '@carbon/messaging';
import { z } from 'zod';

/** An outcome as it was announced. */
export type Outcome = OutcomeFacts &
  (
    | { readonly type: 'offset.completed.v1'; readonly data: OffsetCompletedV1 }
    | { readonly type: 'offset.failed.v1'; readonly data: OffsetFailedV1 }
  );

interface OutcomeFacts {
  readonly eventId: string;
  /** The data as the topic has it, byte for byte. */
  readonly payload: string;
  readonly traceparent: string | undefined;
  /** When it was decided, RFC 3339. */
  readonly decidedAt: string;
  /** When Kafka appended it. */
  readonly publishedAt: Date;
}

type RawMessage = Parameters<OnRawMessage>[1];

const headersSchema = z.object({
  ce_id: z.string().min(1),
  ce_type: z.enum(['offset.completed.v1', 'offset.failed.v1']),
  ce_time: z.iso.datetime({ precision: 3 }),
  traceparent: z.string().optional(),
});
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});
const SCHEMAS = {
  'offset.completed.v1': json.pipe(offsetCompletedV1),
  'offset.failed.v1': json.pipe(offsetFailedV1),
} as const;

/** The outcome that a message announces; undefined of a message that this service cannot have written. */
export function readOutcome({ headers = {}, value, timestamp }: RawMessage): Outcome | undefined {
  const text = Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, each?.toString()]));
  const head = headersSchema.safeParse(text);
  if (!head.success || value === null) return undefined;
  const { ce_id: eventId, ce_type: type, ce_time: decidedAt, traceparent } = head.data;
  const payload = value.toString();
  const data = SCHEMAS[type].safeParse(payload);
  if (!data.success || eventId !== `${data.data.id}.${type}`) return undefined;
  const publishedAt = new Date(Number(timestamp));
  return { eventId, payload, traceparent, decidedAt, publishedAt, type, data: data.data } as Outcome;
}
