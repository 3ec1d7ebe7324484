import { z } from 'zod';

/** The same body posted to `/v1/offsets` over so many connections. */
export const posts = z.object({
  port: z.int(),
  /** Shown with every request. */
  key: z.string(),
  connections: z.int().positive(),
  ms: z.number().positive(),
  /** So many a second, whatever becomes of those before; without it, each connection posts as soon as it has its answer. */
  perSecond: z.number().positive().optional(),
});
export type Posts = z.output<typeof posts>;

/** What came of them. Milliseconds from when each was to be sent until its answer was there. */
export const postsReport = z.object({ perSecond: z.number(), p50: z.number(), p99: z.number() });
export type PostsReport = z.output<typeof postsReport>;
