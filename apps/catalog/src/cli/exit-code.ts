import type { Verdict } from './verify/verify-library.js';

/** How the commands end; part of what scripts rely on, so a number never gets another meaning. */
export const EXIT = { done: 0, failed: 1, wrongUsage: 2, undecided: 3 } as const;

/**
 * How `verify` ends. What could not be compared has an end of its own: to call it sound would let a script believe what
 * nobody has seen, and to call it a difference would raise an alarm for mere news.
 */
export const VERDICT_EXIT: Readonly<Record<Verdict, number>> = {
  holds: EXIT.done,
  differs: EXIT.failed,
  undecided: EXIT.undecided,
};
