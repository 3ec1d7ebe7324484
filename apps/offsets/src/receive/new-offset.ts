import type { Received } from '@carbon/messaging';
import type { RequestedOffset } from '../domain/request.js';

/** A request with all that its row needs. */
export interface NewOffset extends RequestedOffset {
  readonly createdAt: string;
  readonly traceparent: string;
}

/** The offset that a message asks for; undefined of one without a value. */
export function newOffset({ value, timestamp, context }: Received<RequestedOffset>): NewOffset | undefined {
  if (value === null) return undefined;
  return { ...value, createdAt: value.createdAt ?? timestamp.toISOString(), traceparent: context.traceparent };
}
