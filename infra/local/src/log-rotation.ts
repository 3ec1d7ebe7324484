import { copyFileSync, mkdirSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** A log that has grown beyond this is moved aside while the system runs. */
const MAX_BYTES = 64 * 1024 * 1024;
const LOOK_EVERY_MS = 30_000;

/**
 * Moves the last run's logs aside (`kafka.log` to `kafka.previous.log`), and while the system runs those that have grown
 * too large, so that logs never take more than twice that for each part.
 */
export function rotateLogs(logDir: string): { stop(): void } {
  mkdirSync(logDir, { recursive: true });
  for (const log of logsIn(logDir)) renameSync(log, previousOf(log));
  const timer = setInterval(() => cutLargeLogs(logDir, MAX_BYTES), LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Copies and empties the logs that are larger; the processes append, so they go on at the new end by themselves. */
export function cutLargeLogs(logDir: string, mostBytes: number): void {
  for (const log of logsIn(logDir).filter((file) => statSync(file).size > mostBytes)) {
    copyFileSync(log, previousOf(log));
    truncateSync(log);
  }
}

function logsIn(logDir: string): string[] {
  const names = readdirSync(logDir).filter((name) => name.endsWith('.log') && !name.endsWith('.previous.log'));
  return names.map((name) => join(logDir, name));
}

function previousOf(log: string): string {
  return log.replace(/\.log$/, '.previous.log');
}
