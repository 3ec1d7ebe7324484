import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { printableLines } from './text.js';

/** The exit codes of all commands; scripts rely on them. 75 to 78 are from sysexits.h. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** A check found nothing wrong, but could not look at everything. */
  incomplete: 3,
  /** No answer, or not in time: the same command may succeed later (EX_TEMPFAIL). */
  unavailable: 75,
  /** The key is missing, unknown, or lacks a permission (EX_NOPERM). */
  forbidden: 77,
  /** A setting is missing or wrong (EX_CONFIG). Some commands exit with `usage` instead; docs/commands.md says which. */
  config: 78,
} as const;

/** A command failed for a reason that its message explains to a person. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  /** @param styled the message for a terminal with colours; must be printable except for those */
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
    readonly styled: string = printableLines(message),
  ) {
    super(message);
  }
}

/** The command line is wrong; nothing was done. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super(message, EXIT.usage);
  }
}

/** A service did not answer; the same command may succeed later. */
export class UnavailableError extends CommandError {
  override readonly name = 'UnavailableError';

  constructor(message: string) {
    super(message, EXIT.unavailable);
  }
}

/** The reader of standard output is gone (`| head`): the command ends quietly. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** A signal ended the command. The process dies of the same signal, so that a shell loop ends with it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor(readonly signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
  }
}

/** Long enough for a signal to arrive at the process that sent it. */
const SIGNAL_MS = 1_000;

/** On Ctrl-C the terminal and npm both send SIGINT, so a second signal so soon is the same request. */
const SAME_REQUEST_MS = 1_000;

/** Aborts on SIGINT or SIGTERM. Another signal more than a second after the first ends the process immediately. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  let requestedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      requestedAt ??= performance.now();
      if (performance.now() - requestedAt > SAME_REQUEST_MS) void exitBySignal(signal);
      else controller.abort(new Interrupted(signal));
    });
  }
  return controller.signal;
}

/**
 * Ends the process by a signal: a shell continues its loop after an exit code, and ends it after a signal. Process 1 of a
 * container survives its own signal, so it exits with the code by which shells report the signal.
 */
export async function exitBySignal(signal: NodeJS.Signals): Promise<never> {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  await sleep(SIGNAL_MS);
  process.exit(128 + constants.signals[signal]);
}
