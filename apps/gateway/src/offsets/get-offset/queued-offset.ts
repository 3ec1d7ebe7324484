import type { QueuedOffsetView } from '@carbon/contracts';
import type { UpstreamAnswer } from '../../upstream/trusted-answer.js';
import { ownAnswer } from '../unrecorded.js';

/** The answer for an offset that was accepted and is not recorded yet. Only its record says when it was created. */
export function queuedOffset(id: string): UpstreamAnswer {
  return ownAnswer({ id, status: 'queued' } satisfies QueuedOffsetView);
}
