import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isOutage, type OpenSearch } from './open-search.js';
import { openSearchAdvice } from './open-search-connection.js';

const DEADLINE_MS = 5_000;
const AGAIN_MS = 500;

/**
 * Resolves when OpenSearch answers: a command may be started together with it. A wrong setting is not waited for.
 * @throws the last error once the time is over, or at once one that says which setting is wrong
 */
export async function reachOpenSearch(
  openSearch: OpenSearch,
  withinMs: number,
  onWait: (sentence: string) => void,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      await openSearch.ask({ method: 'GET', path: '/' }, z.object({}), DEADLINE_MS);
      return;
    } catch (error) {
      if (!isOutage(error) || openSearchAdvice(error) !== undefined || performance.now() >= deadline) throw error;
      if (failures === 1) onWait(`OpenSearch does not answer yet; waiting up to ${withinMs / 1_000} s for it.`);
      await sleep(AGAIN_MS);
    }
  }
}
