import type { Command } from '../processes/guarded-process.js';
import type { RunToEnd } from './run-to-end.js';

/** A part that is a process: its command, its readiness check, and its dependencies. */
export interface ProcessPart {
  readonly kind: 'process';
  readonly name: string;
  /** Parts that must be ready (or done) before this one starts; it stops before they do. */
  readonly after: readonly string[];
  /** Parts that it does not wait for, but stops before. */
  readonly stopsBefore?: readonly string[];
  /** Creates folders and files, and returns the command. Called before every start, so it must be repeatable. */
  prepare(run: RunToEnd): Promise<Command>;
  /** Checks once whether it serves. Returns false, or throws, if it does not; takes no longer than about a second. */
  ready(): Promise<boolean>;
  /** The maximum time until it is first ready, ms. */
  readonly readyWithinMs: number;
  /** Its HTTP address, if it is an app. */
  readonly url?: string;
}

/** A part that is a step: it runs once, and later parts wait until it is done. */
export interface StepPart {
  readonly kind: 'step';
  readonly name: string;
  readonly after: readonly string[];
  /** Runs the step, until it is done or the signal aborts it; returns a sentence to print, or nothing. */
  run(run: RunToEnd, stopping: AbortSignal): Promise<string | undefined>;
}

/**
 * Changes the command of a part before it is run, by the part's name: each start of a process, and the command of a
 * step. Commands in `prepare` are not changed.
 */
export type AdaptCommand = (part: string, command: Command) => Command | Promise<Command>;

/** One part of the system. */
export type Part = ProcessPart | StepPart;

/** The state of a part: `stopped` on purpose, `starting`, `ready`, `waiting` for a restart, or `failed` permanently. */
export type PartState = 'stopped' | 'starting' | 'ready' | 'waiting' | 'failed';

/** Events of the parts, for the output. */
export type PartEvent =
  | { readonly kind: 'starting'; readonly part: string }
  | { readonly kind: 'ready'; readonly part: string; readonly afterMs: number; readonly again: boolean }
  | { readonly kind: 'done'; readonly part: string; readonly sentence: string | undefined }
  | { readonly kind: 'exited'; readonly part: string; readonly how: string; readonly againInMs: number }
  | { readonly kind: 'stopping'; readonly part: string }
  | { readonly kind: 'stopped'; readonly part: string };

/** Thrown when a part cannot be started, or not again: the whole system stops. */
export class PartFailed extends Error {
  override readonly name = 'PartFailed';

  /** @param logTail the end of its log, or an empty string */
  constructor(part: string, reason: string, logTail = '', logFile = '') {
    super(`${part} ${reason}${logTail === '' ? '' : `\nThe end of its log (${logFile}):\n${logTail}`}`);
  }
}
