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
