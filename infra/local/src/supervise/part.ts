import type { Command } from '../processes/guarded-process.js';
import type { RunToEnd } from './run-to-end.js';

/** A part that is a process: what it is, when it is ready, after whom it starts. */
export interface ProcessPart {
  readonly kind: 'process';
  readonly name: string;
  /** Parts that must be ready (or done) before this one starts; it stops before they do. */
  readonly after: readonly string[];
  /** Makes folders and files it needs, and says how to run it. Called before every start, so it must be repeatable. */
  prepare(run: RunToEnd): Promise<Command>;
  /** One look whether it serves. Answers false, or throws, while it does not; takes no longer than about a second. */
  ready(): Promise<boolean>;
  /** How long the first start may take until it is ready, ms. */
  readonly readyWithinMs: number;
  /** Where it answers HTTP, when it is an app. */
  readonly url?: string;
}

/** A part that is a step: it runs once, and what comes after it waits until it is done. */
export interface StepPart {
  readonly kind: 'step';
  readonly name: string;
  readonly after: readonly string[];
  /** Does the work; a sentence to say about it, or nothing. */
  run(run: RunToEnd): Promise<string | undefined>;
}

/**
 * Changes the command of a part before it is run, by the part's name: each start of a process, and what a step runs. What a
 * process part runs to prepare itself stays as it is.
 */
export type AdaptCommand = (part: string, command: Command) => Command | Promise<Command>;

/** One line of the list that is the system. */
export type Part = ProcessPart | StepPart;

/** What a part is doing: `stopped` on purpose, `starting`, `ready`, `waiting` to be started again, `failed` for good. */
export type PartState = 'stopped' | 'starting' | 'ready' | 'waiting' | 'failed';

/** What happens to the parts, for whoever shows it. */
export type PartEvent =
  | { readonly kind: 'starting'; readonly part: string }
  | { readonly kind: 'ready'; readonly part: string; readonly afterMs: number; readonly again: boolean }
  | { readonly kind: 'said'; readonly part: string; readonly sentence: string }
  | { readonly kind: 'exited'; readonly part: string; readonly how: string; readonly againInMs: number }
  | { readonly kind: 'stopping'; readonly part: string }
  | { readonly kind: 'stopped'; readonly part: string };

/** A part that cannot be brought up, or not again: the whole ends. */
export class PartFailed extends Error {
  override readonly name = 'PartFailed';

  constructor(
    readonly part: string,
    readonly reason: string,
    /** The end of its log, or an empty string. */
    readonly logTail: string,
    readonly logFile: string,
  ) {
    super(`${part} ${reason}${logTail === '' ? '' : `\nThe end of its log (${logFile}):\n${logTail}`}`);
  }
}
