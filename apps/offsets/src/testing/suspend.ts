const now = performance.now.bind(performance);

/** Longer than a process may act on the result of a statement. */
const SUSPENDED_MS = 7_000;

/** Sets the monotonic clock forward, as after a suspension (SIGSTOP). */
export function simulateSuspension(): void {
  performance.now = () => now() + SUSPENDED_MS;
}

/** Resets the clock. For afterEach. */
export function resetClock(): void {
  performance.now = now;
}
