import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from './open-search.js';

const PAUSE_MS = 100;
/** Kept back for the way there and back when OpenSearch is told how long it may search. */
const WAY_MS = 200;
/** Below this, asking again cannot end well. */
const LEAST_MS = 300;

/** What one may ask twice. */
export interface TwoTries {
  readonly deadlineMs: number;
  /** Says that nobody waits for the answer any more: then it is not asked for again. */
  readonly signal: AbortSignal;
}

/**
 * Asks within one deadline, and once more when the first try was told at once that there is an outage. One that was slow
 * is not asked again: that would double its load.
 *
 * @param ask gets the time it has left, in ms
 */
export async function askTwice<T>({ deadlineMs, signal }: TwoTries, ask: (leftMs: number) => Promise<T>): Promise<T> {
  const end = performance.now() + deadlineMs;
  try {
    return await ask(deadlineMs);
  } catch (error) {
    const left = end - performance.now() - PAUSE_MS;
    if (!isOutage(error) || !error.tellsAtOnce || left < LEAST_MS) throw error;
    await sleep(PAUSE_MS, undefined, { signal });
    return await ask(left);
  }
}

/** How long OpenSearch may search when its answer is due in so many ms. */
export function searchTimeMs(leftMs: number): number {
  return Math.max(LEAST_MS, Math.floor(leftMs - WAY_MS));
}
