import { setTimeout as sleep } from 'node:timers/promises';

/** The options of {@link eventually}. */
export interface EventuallyOptions {
  /** The timeout in ms; a minute by default. */
  readonly within?: number;
  /** The pause between two attempts in ms; by default it grows from 20 to 200, so that waiting costs others little. */
  readonly every?: number;
}

/** Repeats an attempt, with its `expect`s, until it neither throws nor rejects. After the timeout throws its last error. */
export async function eventually<T>(attempt: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { within = 60_000, every } = options;
  const deadline = Date.now() + within;
  for (let pauseMs = every ?? 20; ; pauseMs = every ?? Math.min(pauseMs * 1.5, 200)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= deadline) throw timeoutError(error, within);
      await sleep(pauseMs);
    }
  }
}

/** The same error, for its diff and place, with the timeout in its first line, which jest reads from the stack. */
function timeoutError(error: unknown, within: number): unknown {
  if (error instanceof Error) {
    error.message = `not within ${within} ms: ${error.message}`;
    error.stack = `not within ${within} ms: ${error.stack}`;
  }
  return error;
}

/** Generous limits of a producer in ms, for tests of other features: on a busy machine Kafka confirms slowly. */
export const SLOW_PRODUCER = { inFlight: 20_000, deadlineMs: 60_000, refuseAfterMs: 60_000 } as const;
