import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identityOf, killGroupOf, type ProcessIdentity } from './pids.js';

/** What a guard is asked to run and how to end it. Sent over the pipe, never as arguments: `env` holds secrets. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Run as this user and group; needs root. */
  readonly runAs?: { readonly uid: number; readonly gid: number } | undefined;
  /** The signal that asks it to end in order. */
  readonly stopSignal: NodeJS.Signals;
  /** How long it may take to end in order, before it is killed. */
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

// Named from the package's root: the tests run the sources, and the guard is always the built file.
const GUARD = fileURLToPath(new URL('../../dist/processes/guard.js', import.meta.url));

/** Where a guarded process writes: its output, and the note of its pids. */
export interface ProcessFiles {
  readonly logFile: string;
  readonly pidFile: string;
}

/** The command could not be started at all (no such file, no right to run it). */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** One process under its guard. It lives no longer than this launcher, however the launcher ends. */
export class GuardedProcess {
  /** Resolves when the process has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<Ending>;
  readonly #guard: ChildProcess;
  #identity: ProcessIdentity | undefined;

  private constructor(guard: ChildProcess, started: () => void, refused: (error: NotStarted) => void) {
    this.#guard = guard;
    // What is told when the guard itself is killed; otherwise it says how its child ended, and then ends as well.
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

  /** Asks it to end in order, kills it when it takes too long, and resolves when it has ended. */
  async stop(): Promise<Ending> {
    this.#send({ kind: 'stop' });
    return await this.ended;
  }

  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void {
    this.#send({ kind: 'signal', signal });
  }

  #send(message: ToGuard): void {
    // A guard that has just gone cannot take a message; its 'exit' says the rest.
    if (this.#guard.connected) this.#guard.send(message, () => {});
  }
}
