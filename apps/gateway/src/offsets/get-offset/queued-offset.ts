import type { QueuedOffsetView } from '@carbon/contracts';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';
import { ownAnswer } from '../unrecorded.js';

/** The answer for an offset that was accepted and is not recorded yet. `time`: Unix ms, where the id holds one. */
export function queuedOffset(id: string, time: number | undefined): UpstreamAnswer {
  const createdAt = time === undefined ? {} : { createdAt: new Date(time).toISOString() };
  return ownAnswer({ id, status: 'queued', ...createdAt } satisfies QueuedOffsetView);
}
