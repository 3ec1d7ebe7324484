import { isPassing } from '../ask/retry.js';
import { pause } from '../ask/time-limit.js';
import { CarbonError } from '../errors/carbon-error.js';
import { TimedOutError } from '../errors/without-answer.js';
import type { CallOptions } from '../options.js';
import type { CompletedOffset, FailedOffset, Offset, QueuedOffset } from '../types.js';
import { hasEnded } from './offset-of.js';

/** How an end is waited for. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait in all, in ms: 60,000 unless given. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 60_000;
const FIRST_MS = 100;
const LONGEST_MS = 2_000;
const GROWTH = 1.5;
/** With less time than this left, there is no sense in reading once more. */
const SHORTEST_MS = 50;

/**
 * Reads an offset until it has ended, at first ten times a second, then ever less often, down to every two seconds. What
 * passes (no connection, too many requests) does not end the waiting, for the offset goes on without us.
 */
export async function waitForEnd(
  read: (options: CallOptions) => Promise<Offset | QueuedOffset>,
  id: string,
  { signal, timeoutMs = TIMEOUT_MS }: WaitOptions = {},
): Promise<CompletedOffset | FailedOffset> {
  const end = performance.now() + timeoutMs;
  let [seen, cause]: [string, unknown] = ['not read once', undefined];
  for (let wait = FIRST_MS; ; wait = Math.min(LONGEST_MS, wait * GROWTH)) {
    try {
      const offset = await read({ signal, timeoutMs: Math.max(1, Math.ceil(end - performance.now())) });
      if (hasEnded(offset)) return offset;
      [seen, cause] = [offset.status, undefined];
    } catch (error) {
      if (!(error instanceof CarbonError) || !isPassing(error)) throw error;
      cause = error;
    }
    const left = end - performance.now();
    if (left < SHORTEST_MS) throw stillGoing(id, seen, timeoutMs, cause);
    await pause(Math.min(wait, left / 2), signal);
  }
}

function stillGoing(id: string, seen: string, timeoutMs: number, cause: unknown): TimedOutError {
  return new TimedOutError(`${id} had not ended after ${timeoutMs} ms; it was ${seen}`, { cause });
}
