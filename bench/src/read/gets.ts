import { z } from 'zod';

/** Paths to get in order over a number of connections, each as soon as a connection is free. */
export const gets = z.object({
  port: z.int(),
  /** Sent with every request. */
  headers: z.record(z.string(), z.string()),
  /** Starts over after the last. */
  paths: z.array(z.string()).min(1),
  connections: z.int().positive(),
  ms: z.number().positive(),
});
export type Gets = z.output<typeof gets>;

/** The results of {@link Gets}. Latencies are in milliseconds, until the response is complete. */
export const getsReport = z.object({ count: z.int(), perSecond: z.number(), p50: z.number() });
export type GetsReport = z.output<typeof getsReport>;
