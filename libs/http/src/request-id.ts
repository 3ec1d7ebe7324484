import { randomUUID } from 'node:crypto';

/** What a client may choose as a request id: enough for every common id, nothing that could forge a log line. */
const REQUEST_ID = /^[A-Za-z0-9-]{1,64}$/;

/** The caller's `X-Request-Id` when it is acceptable, else a new id. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}
