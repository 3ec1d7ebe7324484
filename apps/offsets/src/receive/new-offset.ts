import { firstAppendTime, type Message } from '@carbon/messaging';
import type { RequestedOffset } from '../domain/request.js';

/** A request with all that its row needs. */
export interface NewOffset extends RequestedOffset {
  /** When Kafka first appended it. The row is created at this time, or when it is recorded if that is earlier. */
  readonly appendedAt: Date;
  readonly traceparent: string;
}

/** The offset that a message asks for; undefined of one without a value. */
export function newOffset({ value, timestamp, headers, context }: Message<RequestedOffset>): NewOffset | undefined {
  if (value === null) return undefined;
  return { ...value, appendedAt: firstAppendTime(timestamp, headers), traceparent: context.traceparent };
}
