import { randomBytes } from 'node:crypto';
import { parseTraceParent } from '@opentelemetry/core';

/** Our place in a trace (W3C Trace Context): `traceparent` is what we hand on, the next in line being our child. */
export interface TracePlace {
  readonly traceparent: string;
  /** 32 hexadecimal digits, the same in every part of the system. */
  readonly traceId: string;
}

/** Goes on with the trace of a received `traceparent`, or begins one when there is none or it is malformed. */
export function continueTrace(received?: string): TracePlace {
  const parent = received === undefined ? null : parseTraceParent(received);
  const traceId = parent?.traceId ?? hexDigits(32);
  const flags = ((parent?.traceFlags ?? 1) & 1).toString(16).padStart(2, '0');
  return { traceId, traceparent: `00-${traceId}-${hexDigits(16)}-${flags}` };
}

const STOCK_BYTES = 4_096;
let stock = '';
let used = 0;

/** Random digits, fetched in bulk: asking node for a few at a time costs more than all else that a trace needs. */
function hexDigits(count: 16 | 32): string {
  if (used + count > stock.length) {
    stock = randomBytes(STOCK_BYTES).toString('hex');
    used = 0;
  }
  used += count;
  return stock.slice(used - count, used);
}
