const now = performance.now.bind(performance);

/** Longer than a process may act on what a statement gave it. */
const SLEPT_MS = 7_000;

/** Makes this process believe that it was suspended (SIGSTOP) until now: its monotonic clock is ahead. */
export function haveSlept(): void {
  performance.now = () => now() + SLEPT_MS;
}

/** Sets the clock right. For afterEach. */
export function wakeUp(): void {
  performance.now = now;
}
