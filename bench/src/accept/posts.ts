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
});
export type Posts = z.output<typeof posts>;

/** The results. Milliseconds from the planned time of each request until its response. */
export const postsReport = z.object({ perSecond: z.number(), p50: z.number(), p99: z.number() });
export type PostsReport = z.output<typeof postsReport>;
