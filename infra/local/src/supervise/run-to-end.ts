import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, GuardedProcess } from '../processes/guarded-process.js';

const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 30;

/** Returns the last lines of a log, indented; empty without a log. */
export function logTail(file: string): string {
  try {
    const log = openSync(file, 'r');
    try {
      const from = Math.max(0, fstatSync(log).size - TAIL_BYTES);
      const bytes = Buffer.alloc(TAIL_BYTES);
      const text = bytes.toString('utf8', 0, readSync(log, bytes, 0, TAIL_BYTES, from));
      return text.trimEnd().split('\n').slice(-TAIL_LINES).map(indented).join('\n');
    } finally {
      closeSync(log);
    }
  } catch {
    return '';
  }
}

function indented(line: string): string {
  return `  | ${line}`;
}

/** The folders of the output and the pid files of short commands. */
export interface RunFolders {
  readonly logDir: string;
  readonly pidDir: string;
}

/** Runs a short command to its end, under a guard like every process, with its output in the log of that name. */
export type RunToEnd = (command: Command, timeoutMs: number) => Promise<void>;

/** Thrown when a short command failed or took too long; the message ends with the tail of its log. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
}

/** Returns the runner for the commands of one part; a running command is stopped at the signal. */
export function runToEnd(name: string, folders: RunFolders, stopping: AbortSignal): RunToEnd {
  const files = { logFile: join(folders.logDir, `${name}.log`), pidFile: join(folders.pidDir, `${name}.step.json`) };
  return async (command, timeoutMs) => {
    stopping.throwIfAborted();
    const process = await GuardedProcess.start(command, files);
    const stop = () => void process.stop();
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
    const tooLate = setTimeout(() => process.signal('SIGKILL'), timeoutMs);
    const { code, signal } = await process.ended;
    clearTimeout(tooLate);
    stopping.removeEventListener('abort', stop);
    stopping.throwIfAborted();
    if (code === 0) return;
    const how =
      signal === null ? `exited with code ${code}` : `was stopped by ${signal} (its timeout is ${timeoutMs / 1000} s)`;
    throw new RunFailed(
      `${name} failed: its command ${how}.\nThe end of its log (${files.logFile}):\n${logTail(files.logFile)}`,
    );
  };
}
