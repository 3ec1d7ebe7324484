import { z } from 'zod';

/** Offsets posted at a steady rate, whatever becomes of those before, each followed until it is completed. */
export const openLoop = z.object({
  origin: z.url(),
  perSecond: z.number().positive(),
  ms: z.number().positive(),
});
export type OpenLoop = z.output<typeof openLoop>;

const latencies = z.object({ p50: z.number(), p99: z.number(), max: z.number() });

/** What came of it, in milliseconds from the moment when each was to be posted: a generator that is late counts as slow. */
export const openLoopReport = z.object({
  count: z.int(),
  /** Until 202 was there. */
  accepted: latencies,
  /** Until a GET said `completed`. */
  completed: latencies,
});
export type OpenLoopReport = z.output<typeof openLoopReport>;
