import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { parseTraceParent } from '@opentelemetry/core';

/** The trace context of one span (W3C Trace Context). */
export interface TraceContext {
  /** The header of outgoing calls: its parent-id is our span. */
  readonly traceparent: string;
  /** The id of the trace, 32 hexadecimal digits: the same in every app that takes part. */
  readonly traceId: string;
}

/** The ids that all work for one request or message shares. Messages of `offset.requested` have them in their headers. */
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

/** Creates the context of a request, which continues the caller's trace if there is one. */
export function createContext(requestId: string, traceparent?: string): RequestContext {
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

/** Returns random digits from a pool: a call of `randomBytes` for every id would cost more than everything else that tracing does. */
function randomHex(digits: 16 | 32): string {
  if (used + digits > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}
