const now = performance.now.bind(performance);

/** Longer than a process may act on the result of a statement. */
const SLEPT_MS = 7_000;

/** Sets the monotonic clock forward, as after a suspension (SIGSTOP). */
export function haveSlept(): void {
  performance.now = () => now() + SLEPT_MS;
}

/** Resets the clock. For afterEach. */
export function wakeUp(): void {
  performance.now = now;
}
