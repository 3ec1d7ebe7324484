const now = performance.now.bind(performance);

/** Longer than a process may act on what it was given. */
const SLEPT_MS = 7_000;

/** Has this process take it that it slept (SIGSTOP) until now: its monotonic clock is ahead. */
export function haveSlept(): void {
  performance.now = () => now() + SLEPT_MS;
}

/** Sets the clock right. For afterEach. */
export function wakeUp(): void {
  performance.now = now;
}
