import { z } from 'zod';

/** One request of a load. `{n}` in the path or the body is replaced by six digits that are unique in the run. */
export const loadRequest = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  body: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
export type LoadRequest = z.output<typeof loadRequest>;

/** Requests to send in turn, with a duration and a concurrency. */
export const load = z.object({
  origin: z.url(),
  requests: z.array(loadRequest).min(1),
  connections: z.int().positive(),
  ms: z.number().positive(),
  /** The first number for `{n}`. */
  from: z.int().min(0),
});
export type Load = z.output<typeof load>;

/** The results of a load. */
export const loadReport = z.object({
  count: z.int(),
  perSecond: z.number(),
  /** Milliseconds from sending a request until the last byte of its response. */
  p50: z.number(),
  p99: z.number(),
});
export type LoadReport = z.output<typeof loadReport>;

const COUNTS = 1_000_000;

/** Returns the request with its number. */
export function numbered({ method, path, body, headers }: LoadRequest, n: number): LoadRequest {
  const digits = String(n % COUNTS).padStart(6, '0');
  return { method, headers, path: path.replaceAll('{n}', digits), body: body?.replaceAll('{n}', digits) };
}
