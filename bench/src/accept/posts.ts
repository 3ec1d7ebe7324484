import { gramsFromKg } from '@carbon/contracts';
import { z } from 'zod';

/** The body of every request. */
export const POSTED = { kgCO2e: 1234.567, customerRef: 'order-1' } as const;

/** The weight of that many of them. */
export function gramsPosted(count: number): bigint {
  return BigInt(count) * gramsFromKg(POSTED.kgCO2e);
}

/** The same body posted to `/v1/offsets` over several connections. */
export const posts = z.object({
  port: z.int(),
  /** Sent with every request. */
  key: z.string(),
  connections: z.int().positive(),
  ms: z.number().positive(),
  /** Requests per second, independent of responses; those that are still late at the end are not sent. Without it, each connection posts after its response. */
  perSecond: z.number().positive().optional(),
  /** The Idempotency-Key of each request is this text and a number, from 0. Without it, no request has a key. */
  keyedBy: z.string().optional(),
  /** The maximum number of requests. */
  count: z.int().positive().optional(),
});
export type Posts = z.output<typeof posts>;

/** The results. Milliseconds from the planned time of each request until its response. */
export const postsReport = z.object({
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  count: z.int(),
  /** Responses with `Idempotency-Replayed: true`. */
  replayed: z.int(),
});
export type PostsReport = z.output<typeof postsReport>;
