import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait for something to come true. */
export interface Patience {
  /** At most this long, ms; a minute by default, for how soon is seldom what a test is about. */
  readonly within?: number;
  /** The pause between two tries, ms; 50 by default. */
  readonly every?: number;
}

/**
 * Tries until the attempt neither throws nor rejects, and answers what it answered: put the `expect` into it. When time
 * is up, it throws what the last attempt threw.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, patience: Patience = {}): Promise<T> {
  const { within = 60_000, every = 50 } = patience;
  const deadline = Date.now() + within;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= deadline) throw late(error, within);
      await sleep(every);
    }
  }
}

/** The same error (its diff and place are what a reader needs), with the time added to its first line, which jest reads in the stack. */
function late(error: unknown, within: number): unknown {
  if (error instanceof Error) {
    error.message = `not within ${within} ms: ${error.message}`;
    error.stack = `not within ${within} ms: ${error.stack}`;
  }
  return error;
}

/**
 * The limits of a producer that publishes for a test which is not about them, ms: on a busy machine Kafka may take long to
 * confirm what thousands of messages at a time ask of it.
 */
export const PATIENT_PRODUCER = { inFlight: 20_000, deadlineMs: 60_000, refuseAfterMs: 60_000 } as const;
