import { z } from 'zod';

/** The load of the first minute after a start. */
export const firstMinute = z.object({
  origin: z.url(),
  /** Sent with every request. */
  key: z.string(),
  /** Offsets to read, in turn. */
  ids: z.array(z.string()).min(1),
  /** Distinguishes the idempotency keys of this minute from any other's. */
  run: z.string(),
  ms: z.number().positive(),
});
export type FirstMinute = z.output<typeof firstMinute>;

const kind = z.object({
  count: z.int(),
  /** Responses with 503. */
  unavailable: z.int(),
  /** Milliseconds from the planned time of a request until its response, whether it succeeds or is a 503. */
  p50: z.number(),
  p99: z.number(),
  max: z.number(),
});
export type KindReport = z.output<typeof kind>;

/** The results by kind of request. */
export const firstMinuteReport = z.object({ searches: kind, posts: kind, reads: kind });
export type FirstMinuteReport = z.output<typeof firstMinuteReport>;

/** Requests per second of each kind. */
export const PER_SECOND = { searches: 30, posts: 75, reads: 45 } as const;
