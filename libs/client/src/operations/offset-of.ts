import { isRecord, jsonOf, type Reply } from '../ask/reply.js';
import { readObject } from '../shape.js';
import type { CompletedOffset, FailedOffset, Offset, QueuedOffset } from '../types.js';
import { COMPLETED, FAILED, QUEUED, RECORDED } from './shapes.js';

/** The offset of an answer; what its state promises is there. @throws UnexpectedAnswerError */
export function offsetOf(reply: Reply): Offset | QueuedOffset {
  const body = jsonOf(reply);
  if (!isRecord(body) || !('kgCO2e' in body)) return readObject<QueuedOffset>(reply, QUEUED);
  if (body.status === 'completed') return readObject<CompletedOffset>(reply, COMPLETED);
  return readObject<Offset>(reply, body.status === 'failed' ? FAILED : RECORDED);
}

/** Whether nothing more will become of it. */
export function hasEnded(offset: Offset | QueuedOffset): offset is CompletedOffset | FailedOffset {
  return offset.status === 'completed' || offset.status === 'failed';
}
