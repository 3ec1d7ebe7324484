import { NotFetched } from '../engines/fetch.js';
import { NoJdk } from '../engines/jdk.js';
import { PortsTaken } from '../ports.js';
import { LockHeld } from '../processes/lock.js';
import { PartFailed } from '../supervise/part.js';
import { RunFailed } from '../supervise/run-to-end.js';

/** How the launcher's commands end; 78 (wrong settings) comes from the configuration itself. */
export const EXIT = { OK: 0, FAILED: 1, WRONG_USAGE: 2 } as const;

/** Why the system cannot start or go on, for people: a sentence where the reason is known, else the whole error. */
export function explained(error: unknown): string {
  if (error instanceof LockHeld) return alreadyRunning(error);
  const known = [NotFetched, NoJdk, PortsTaken, PartFailed, RunFailed];
  if (known.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (isRefused(error))
    return `${error.message}.\nAnother user, perhaps root, made it: start as that user, or remove it as that user.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The system did not let us at a file or folder. */
function isRefused(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}

function alreadyRunning({ holder, file }: LockHeld): string {
  return (
    `It is running already, as process ${holder.pid} since ${holder.since}: ${holder.says}\n` +
    `Stop that one first (Ctrl-C where it runs, or kill ${holder.pid}). Each checkout runs one; its lock is ${file}.`
  );
}
