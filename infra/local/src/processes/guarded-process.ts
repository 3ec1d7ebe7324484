import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identityOf, killGroupOf, type ProcessIdentity } from './pids.js';

/** What a guard runs, and how it ends it. Sent over the pipe, never as arguments, because `env` contains secrets. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Run as this user and group; needs root. */
  readonly runAs?: { readonly uid: number; readonly gid: number } | undefined;
  /** The signal for an orderly exit. */
  readonly stopSignal: NodeJS.Signals;
  /** The maximum time of an orderly exit, before it is killed. */
  readonly stopWithinMs: number;
}

/** How a process ended: by its own exit code, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export type ToGuard =
  | { readonly kind: 'run'; readonly command: Command; readonly pidFile: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals };

export type FromGuard =
  | { readonly kind: 'started'; readonly pid: number }
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'not-started'; readonly reason: string };

// A path from the package's root: the tests run the sources, but the guard is always the built file.
const GUARD = fileURLToPath(new URL('../../dist/processes/guard.js', import.meta.url));

/** The files of a guarded process: its output, and its pid file. */
export interface ProcessFiles {
  readonly logFile: string;
  readonly pidFile: string;
}

/** Thrown when the command could not be started (no such file, no permission). */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** One process under its guard. It never outlives this launcher. */
export class GuardedProcess {
  /** Resolves when the process has ended, for any reason. Never rejects. */
  readonly ended: Promise<Ending>;
  readonly #guard: ChildProcess;
  #identity: ProcessIdentity | undefined;

  private constructor(guard: ChildProcess, started: () => void, refused: (error: NotStarted) => void) {
    this.#guard = guard;
    // The result if the guard itself is killed; otherwise it reports how its child ended, and then exits as well.
    let ending: Ending = { code: null, signal: 'SIGKILL' };
    guard.on('message', (message: FromGuard) => {
      if (message.kind === 'started') {
        this.#identity = identityOf(message.pid);
        started();
      } else if (message.kind === 'ended') ending = message.ending;
      else refused(new NotStarted(message.reason));
    });
    const exit = new Promise((resolve) => guard.on('exit', resolve));
    // Its last message may be read after its exit is known, but before its pipe is closed.
    const allRead = new Promise((resolve) => guard.on('disconnect', resolve));
    this.ended = Promise.all([exit, allRead]).then(() => {
      if (this.#identity !== undefined) killGroupOf(this.#identity);
      refused(new NotStarted('its guard ended'));
      return ending;
    });
  }

  /** Starts the command under a guard; resolves when it runs. */
  static async start(command: Command, files: ProcessFiles): Promise<GuardedProcess> {
    const log = openSync(files.logFile, 'a', 0o640);
    try {
      return await new Promise((resolve, reject) => {
        const guard = fork(GUARD, { detached: true, execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
        const guarded: GuardedProcess = new GuardedProcess(guard, () => resolve(guarded), reject);
        guard.on('error', reject);
        guarded.#send({ kind: 'run', command, pidFile: files.pidFile });
      });
    } finally {
      closeSync(log);
    }
  }

  /** The process's pid (not its guard's). */
  get pid(): number | undefined {
    return this.#identity?.pid;
  }

  /** Requests an orderly exit, kills it after the timeout, and resolves when it has ended. */
  async stop(): Promise<Ending> {
    this.#send({ kind: 'stop' });
    return await this.ended;
  }

  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void {
    this.#send({ kind: 'signal', signal });
  }

  #send(message: ToGuard): void {
    // A guard that has just exited cannot receive a message; its 'exit' event follows.
    if (this.#guard.connected) this.#guard.send(message, () => {});
  }
}
