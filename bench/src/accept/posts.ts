import { z } from 'zod';

/** The same body posted to `/v1/offsets` over several connections. */
export const posts = z.object({
  port: z.int(),
  /** Sent with every request. */
  key: z.string(),
  connections: z.int().positive(),
  ms: z.number().positive(),
  /** Requests per second, independent of responses; without it, each connection posts after its response. */
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
