import { hash } from 'node:crypto';
import {
  accountSchema,
  canonicalJsonHash,
  fingerprint,
  gramsFromKg,
  type OffsetRequestedV1,
  offsetIdSchema,
  offsetRequestedV1,
  plainText,
  TOPICS,
} from '@carbon/contracts';
import { firstAppendTime, type Message, type TopicTable } from '@carbon/messaging';
import { z } from 'zod';
import { type Failure, requestRejected } from '../domain/failure.js';
import type { OffsetRow } from '../domain/offset-row.js';

/** The part of the offset's row that the data of `offset.requested` contains; the message has the rest. */
export type RequestedRow = Omit<OffsetRow, 'createdAt' | 'traceparent'>;

const reference = plainText(1, 256).optional().catch(undefined);

/** The readable part of an invalid request. Without id and account no client could find it. */
const fragment = z.object({
  id: offsetIdSchema,
  account: accountSchema,
  kgCO2e: offsetRequestedV1.shape.kgCO2e.optional().catch(undefined),
  estimateId: reference,
  customerRef: reference,
  createdAt: offsetRequestedV1.shape.createdAt.optional().catch(undefined),
});

/** Reads `offset.requested.v1`. An invalid request with a readable id and account is a failed offset, any other a dead letter. */
export const requestSchema = z.unknown().transform((value, context): RequestedRow => {
  const request = offsetRequestedV1.safeParse(value);
  if (request.success) return requestedRow(request.data);
  const readable = fragment.safeParse(value);
  const [first] = request.error.issues;
  if (readable.success) return rejectedRow(readable.data, value, `${first?.path.join('.')}: ${first?.message}`);
  for (const { path, message } of request.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

/** The table of topics with this reading of requests. */
export const REQUEST_TOPICS = {
  'offset.requested': { ...TOPICS['offset.requested'], types: { 'offset.requested.v1': requestSchema } },
} satisfies TopicTable;

/** The row of a valid request, failed if its members contradict each other. */
export function requestedRow(request: OffsetRequestedV1): RequestedRow {
  const { id, account, kgCO2e, estimateId = null, customerRef = null } = request;
  const grams = gramsFromKg(kgCO2e);
  return {
    ...{ id, account, kgCO2e, grams, estimateId, customerRef, processingAt: null, costMicros: null },
    fingerprint: request.fingerprint,
    failure: contradictionIn(request, grams),
  };
}

/** The row of a message; undefined for one without a value. */
export function rowOf({ value, timestamp, headers, context }: Message<RequestedRow>): OffsetRow | undefined {
  if (value === null) return undefined;
  return { ...value, createdAt: firstAppendTime(timestamp, headers), traceparent: context.traceparent };
}

function rejectedRow(readable: z.output<typeof fragment>, whole: unknown, reason: string): RequestedRow {
  const { id, account, kgCO2e = 0, estimateId = null, customerRef = null } = readable;
  return {
    ...{
      id,
      account,
      kgCO2e,
      grams: gramsFromKg(kgCO2e),
      estimateId,
      customerRef,
      processingAt: null,
      costMicros: null,
    },
    fingerprint: fingerprintOf(whole, readable),
    failure: requestRejected(reason),
  };
}

/**
 * JSON can contain values without a canonical form: numbers too large for a double, lone surrogates, very deep nesting. The fingerprint
 * then covers the readable part, because an error here would block the partition for ever.
 */
function fingerprintOf(whole: unknown, readable: z.output<typeof fragment>): string {
  try {
    return canonicalJsonHash(whole);
  } catch {
    return hash('sha256', JSON.stringify(readable), 'hex');
  }
}

function contradictionIn(request: OffsetRequestedV1, grams: bigint): Failure | null {
  if (grams !== BigInt(request.grams)) return requestRejected('grams does not match kgCO2e');
  if (fingerprint(request) !== request.fingerprint) return requestRejected('fingerprint does not match the request');
  return null;
}
