import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

const FIRST_MS = 200;
const LAST_MS = 3_000;

/**
 * Tries a step of the start, without end and with growing pauses, for what it needs may come up later than this process.
 * @throws only the signal's reason, when that comes
 */
export async function tryUntilDone<T>(step: string, attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const logger = new Logger('indexing');
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    try {
      return await unlessStopped(attempt, signal);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn(`Not done yet: ${step}`, error instanceof Error ? error : new Error(String(error)), { attempts });
      await sleep(Math.min(FIRST_MS * 2 ** (attempts - 1), LAST_MS), undefined, { signal });
    }
  }
}

/** Leaves nothing behind at the signal, which lives as long as the process and sees an attempt every second. */
async function unlessStopped<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([attempt(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
