import { basename } from 'node:path';
import { DownloadError } from '../engines/fetch.js';
import { NoJdk } from '../engines/jdk.js';
import { PortsTaken } from '../ports.js';
import { LockHeld } from '../processes/lock.js';
import { PartFailed } from '../supervise/part.js';
import { RunFailed } from '../supervise/run-to-end.js';

/** The exit codes of the launcher's commands; @carbon/config exits with 78 when settings are invalid. */
export const EXIT = { OK: 0, FAILED: 1 } as const;

/** Returns the message to print for an error: one sentence for an expected failure, the stack for any other. */
export function describeError(error: unknown): string {
  if (error instanceof LockHeld) return basename(error.file) === 'lock' ? alreadyRunning(error) : error.message;
  const known = [DownloadError, NoJdk, PortsTaken, PartFailed, RunFailed];
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message;
  if (isAccessDenied(error))
    return `${error.message}.\nAnother user, perhaps root, created it: start as that user, or remove it as that user.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns whether the operating system denied access to a file or folder. */
function isAccessDenied(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}

function alreadyRunning({ holder, file }: LockHeld): string {
  return (
    `Already running as process ${holder.pid} since ${holder.since}: ${holder.message}\n` +
    `Stop it first (Ctrl-C where it runs, or kill ${holder.pid}). A checkout runs one system at a time; the lock is ${file}.`
  );
}
