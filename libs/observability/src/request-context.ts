import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { parseTraceParent } from '@opentelemetry/core';

/** A span's position in a trace (W3C Trace Context). */
export interface TraceContext {
  /** The header for whatever we call: its parent is our span. */
  readonly traceparent: string;
  /** 32 hexadecimal digits, the same in every app. */
  readonly traceId: string;
}

/** What all work for one request or message has in common. `offset.requested` carries it in its headers. */
export interface RequestContext extends TraceContext {
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Returns the context of the current request or message; undefined outside of any. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs `work`, and all it starts, in a context. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Returns the context of a request id that continues the caller's trace. */
export function contextOf(requestId: string, traceparent?: string): RequestContext {
  return { requestId, ...continueTrace(traceparent) };
}

/** Continues the trace of a received `traceparent`, or starts one when the header is missing or malformed. */
export function continueTrace(received?: string): TraceContext {
  const parent = received === undefined ? null : parseTraceParent(received);
  const traceId = parent?.traceId ?? randomHex(32);
  const flags = ((parent?.traceFlags ?? 1) & 1).toString(16).padStart(2, '0');
  return { traceId, traceparent: `00-${traceId}-${randomHex(16)}-${flags}` };
}

const POOL_BYTES = 4_096;
let pool = '';
let used = 0;

/** Random digits from a pool: a call of `randomBytes` for a few bytes costs more than the rest of a trace. */
function randomHex(digits: 16 | 32): string {
  if (used + digits > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}
