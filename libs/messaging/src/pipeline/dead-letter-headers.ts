import type { DeadLetterHeader } from '@carbon/contracts';
import { CUT_BYTES_HEADER } from './cut.js';

/** A header that says that the message is a replay, and of which letter. */
export const REPLAY_HEADER = 'x-replay-of';

/** The headers that make a message a dead letter; everything else on it is as it came. */
export const DEAD_LETTER_HEADERS = {
  reason: 'x-reason-code',
  handler: 'x-handler',
  topic: 'x-topic',
  partition: 'x-partition',
  position: 'x-position',
  attempts: 'x-attempts',
  firstFailedAt: 'x-first-failed-at',
  /** Also on a replay, which keeps the time of its original. */
  appendedAt: 'x-appended-at',
  /** Only where something had to be left out. */
  cutBytes: CUT_BYTES_HEADER,
} as const satisfies Record<string, DeadLetterHeader>;
