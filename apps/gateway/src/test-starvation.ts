const BEAT_MS = 10;

/** How long this process was kept from running, by others on the machine. */
export interface Starvation {
  /** Milliseconds since the watch began; what the process itself computed meanwhile is not counted. */
  readonly ms: number;
  stop(): void;
}

/**
 * Watches it: for tests that promise a time of servers which run in the same process as their clients. A beat comes late
 * when the process was not run, or when it was busy itself; the second is seen from the time it had on the processors.
 */
export function watchStarvation(): Starvation {
  let starved = 0;
  let [last, cpu] = [performance.now(), process.cpuUsage()];
  const beat = setInterval(() => {
    const { user, system } = process.cpuUsage(cpu);
    const late = performance.now() - last - BEAT_MS;
    starved += Math.max(0, late - (user + system) / 1_000);
    [last, cpu] = [performance.now(), process.cpuUsage()];
  }, BEAT_MS).unref();
  return {
    get ms() {
      return starved;
    },
    stop: () => clearInterval(beat),
  };
}
