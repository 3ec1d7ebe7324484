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
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Nobody listens to it between two attempts.
  stopped.catch(() => {});
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    try {
      return await Promise.race([attempt(), stopped]);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn(`Not done yet: ${step}`, error instanceof Error ? error : new Error(String(error)), { attempts });
      await sleep(Math.min(FIRST_MS * 2 ** (attempts - 1), LAST_MS), undefined, { signal });
    }
  }
}
