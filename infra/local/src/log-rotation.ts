import { copyFileSync, mkdirSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** The maximum size of a log before it is rotated. */
const MAX_BYTES = 64 * 1024 * 1024;
const POLL_MS = 30_000;

/**
 * Renames the last run's logs (`kafka.log` to `kafka.previous.log`), and rotates logs that grow too large while the
 * system runs, so that the logs of a part never take more than twice the maximum.
 */
export function rotateLogs(logDir: string): { stop(): void } {
  mkdirSync(logDir, { recursive: true });
  for (const log of logsIn(logDir)) renameSync(log, previousOf(log));
  const timer = setInterval(() => {
    try {
      cutLargeLogs(logDir, MAX_BYTES);
    } catch (error) {
      process.emitWarning(`The logs in ${logDir} cannot be rotated: ${error}`);
    }
  }, POLL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Copies and empties the logs that are larger; the processes append, so they continue at the new end. */
export function cutLargeLogs(logDir: string, mostBytes: number): void {
  for (const log of logsIn(logDir).filter((file) => statSync(file).size > mostBytes)) {
    try {
      copyFileSync(log, previousOf(log));
    } finally {
      // Also on a full disk, where it is needed most.
      truncateSync(log);
    }
  }
}

function logsIn(logDir: string): string[] {
  const names = readdirSync(logDir).filter((name) => name.endsWith('.log') && !name.endsWith('.previous.log'));
  return names.map((name) => join(logDir, name));
}

function previousOf(log: string): string {
  return log.replace(/\.log$/, '.previous.log');
}
