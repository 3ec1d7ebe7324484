import { type OffsetCompletedV1, type OffsetFailedV1, offsetCompletedV1, offsetFailedV1 } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import { type KafkaHandle, type OnRawMessage, readMessages } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import type { OutcomeRange } from './outcome-ranges.js';

/** A published outcome. */
export type Outcome = OutcomeFacts &
  (
    | { readonly type: 'offset.completed.v1'; readonly data: OffsetCompletedV1 }
    | { readonly type: 'offset.failed.v1'; readonly data: OffsetFailedV1 }
  );

interface OutcomeFacts {
  readonly eventId: string;
  /** The data as in the topic, byte for byte. */
  readonly payload: string;
  readonly traceparent: string | undefined;
  /** RFC 3339. */
  readonly decidedAt: string;
  /** When Kafka appended it. */
  readonly publishedAt: Date;
}

type RawMessage = Parameters<OnRawMessage>[1];

/** Outcomes per chunk, and their bytes: one may be as large as Kafka accepts. */
const CHUNK_SIZE = 500;
const MAX_CHUNK_BYTES = 4_000_000;

const logger = new Logger('Outcomes');

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

/** Returns the outcome in a message; undefined for a message that this service cannot have published. */
function parseOutcome({ headers = {}, value, timestamp }: RawMessage): Outcome | undefined {
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

/** Handles a chunk of outcomes, in the order of their partitions; returning `'enough'` ends the reading. */
export type OnOutcomes = (outcomes: readonly Outcome[]) => Promise<'enough' | undefined>;

/**
 * Reads the outcomes of these ranges in bounded chunks. Their topics are not compacted, so each range must be read to its end.
 * @throws TransientError where a partition was not
 */
export async function readOutcomes(
  kafka: KafkaHandle,
  ranges: readonly OutcomeRange[],
  onOutcomes: OnOutcomes,
): Promise<void> {
  for (const { topic, partitions } of ranges) {
    let chunk: Outcome[] = [];
    let bytes = 0;
    let isEnough = false;
    const flush = async () => {
      const outcomes = chunk;
      chunk = [];
      bytes = 0;
      const answer = outcomes.length === 0 ? undefined : await onOutcomes(outcomes);
      isEnough = answer === 'enough';
      return answer;
    };
    const isWhole = await readMessages(kafka, topic, partitions, async (partition, message) => {
      const outcome = parseOutcome(message);
      if (outcome === undefined) {
        const place = { topic, partition, position: message.offset };
        logger.warn('Skipped a message that is not an outcome of this service.', place);
        return undefined;
      }
      chunk.push(outcome);
      bytes += outcome.payload.length;
      return chunk.length < CHUNK_SIZE && bytes < MAX_CHUNK_BYTES ? undefined : flush();
    });
    if (!isEnough && !isWhole)
      throw new TransientError('service_unavailable', `Kafka did not return all outcomes of ${topic}.`);
    if (isEnough || (await flush()) === 'enough') return;
  }
}
