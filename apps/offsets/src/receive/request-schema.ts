import { accountSchema, offsetIdSchema, offsetRequestedV1, plainText, TOPICS } from '@carbon/contracts';
import type { TopicTable } from '@carbon/messaging';
import { z } from 'zod';
import { type RequestedOffset, rejected, requested } from '../domain/request.js';

const reference = plainText(1, 256).optional().catch(undefined);

/** As much of a broken request as can be read; without id and account nobody could be told. */
const fragment = z.object({
  id: offsetIdSchema,
  account: accountSchema,
  kgCO2e: offsetRequestedV1.shape.kgCO2e.optional().catch(undefined),
  estimateId: reference,
  customerRef: reference,
  createdAt: offsetRequestedV1.shape.createdAt.optional().catch(undefined),
});

/** `offset.requested.v1` as this service reads it: what can be recorded at all, sound or not; the rest is a dead letter. */
export const requestSchema = z.unknown().transform((value, context): RequestedOffset => {
  const request = offsetRequestedV1.safeParse(value);
  if (request.success) return requested(request.data);
  const readable = fragment.safeParse(value);
  const [first] = request.error.issues;
  if (readable.success) return rejected(readable.data, value, `${first?.path.join('.')}: ${first?.message}`);
  for (const { path, message } of request.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

/** The table of topics with our reading of requests. */
export const REQUEST_TOPICS = {
  'offset.requested': { ...TOPICS['offset.requested'], types: { 'offset.requested.v1': requestSchema } },
} satisfies TopicTable;
