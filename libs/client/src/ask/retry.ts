import type { CarbonError } from '../errors/carbon-error.js';
import { NetworkError, TimedOutError } from '../errors/without-answer.js';

/**
 * Answers after which the same request may succeed. 502 and 504 are not of the service but of what stands before it, and
 * say as much as no answer at all.
 */
const PASSING: ReadonlySet<number | undefined> = new Set([408, 429, 502, 503, 504]);
const FIRST_MS = 200;
const LONGEST_MS = 5_000;

/** Whether the same request may succeed later. Anything else fails again however often it is asked. */
export function isPassing(error: CarbonError): boolean {
  return error instanceof NetworkError || error instanceof TimedOutError || PASSING.has(error.status);
}

/**
 * How long to wait before the next try, in ms: twice as long each time, at random by up to half less so that clients
 * that failed together do not come back together, and never less than the service asked for.
 *
 * @param tries how many there were
 */
export function pauseBefore(tries: number, retryAfter: number | undefined, random = Math.random()): number {
  const patience = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  const spread = patience / 2;
  return retryAfter === undefined ? patience - spread * random : retryAfter * 1_000 + spread * random;
}
