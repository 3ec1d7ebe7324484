import { setTimeout as sleep } from 'node:timers/promises';
import { type Ending, GuardedProcess, type ProcessFiles } from '../processes/guarded-process.js';
import { type PartEvent, PartFailed, type PartState, type ProcessPart } from './part.js';
import { logTail, type RunToEnd } from './run-to-end.js';

/** Six exits within two minutes without having been ready in between: the part will not start. */
const MAX_EXITS = 6;
const EXIT_WINDOW_MS = 120_000;

const INITIAL_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;

/** What to do after a part has exited. */
export type RestartDecision = { readonly kind: 'restart'; readonly inMs: number } | { readonly kind: 'give-up' };

/**
 * Decides what to do after an exit. `exits` are the times (ms) of all exits since the part was last ready, including
 * this one: the wait starts at 0.2 s and doubles up to 5 s; becoming ready resets it.
 */
export function decideRestart(exits: readonly number[], now: number): RestartDecision {
  const recent = exits.filter((at) => now - at <= EXIT_WINDOW_MS).length;
  if (recent >= MAX_EXITS) return { kind: 'give-up' };
  return { kind: 'restart', inMs: Math.min(INITIAL_BACKOFF_MS * 2 ** (exits.length - 1), MAX_BACKOFF_MS) };
}

const POLL_MS = 100;

/** Keeps one process part running: starts it, checks until it is ready, restarts it when it exits. */
export class SupervisedPart {
  #state: PartState = 'stopped';
  #process: GuardedProcess | undefined;
  #run: Promise<void> | undefined;
  #leaving = new AbortController();
  #exits: number[] = [];
  #exitCount = 0;
  #readyBefore = false;
  readonly #readyWaiters = new Set<PromiseWithResolvers<void>>();

  constructor(
    private readonly part: ProcessPart,
    private readonly files: ProcessFiles,
    private readonly runToEnd: RunToEnd,
    private readonly onEvent: (event: PartEvent) => void,
    private readonly onFailed: (failure: PartFailed) => void,
  ) {}

  get name(): string {
    return this.part.name;
  }

  get state(): PartState {
    return this.#state;
  }

  /** The pid of the current process, which a restart changes; undefined without one. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** The number of unexpected exits. */
  get exits(): number {
    return this.#exitCount;
  }

  /** Its HTTP address, if it is an app; distinguishes several instances of one app. */
  get url(): string | undefined {
    return this.part.url;
  }

  /** Starts it (if it is not started) and resolves when it is ready; rejects with PartFailed if it fails. */
  async start(): Promise<void> {
    if (this.#run === undefined) {
      this.#leaving = new AbortController();
      this.#exits = [];
      this.#state = 'starting';
      this.#run = this.#keepRunning(this.#leaving.signal);
    }
    await this.ready();
  }

  /** Resolves when it is ready; rejects with PartFailed if it has failed or is stopped meanwhile. */
  async ready(): Promise<void> {
    if (this.#state === 'ready') return;
    if (this.#state === 'failed' || this.#run === undefined) throw this.#failure('is not running');
    const waiter = Promise.withResolvers<void>();
    this.#readyWaiters.add(waiter);
    await waiter.promise;
  }

  /** Stops the process gracefully. The part stays stopped until `start` is called. */
  async stop(): Promise<void> {
    if (this.#run === undefined) return;
    this.onEvent({ kind: 'stopping', part: this.name });
    this.#leaving.abort();
    await this.#process?.stop();
    await this.#run;
    this.#run = undefined;
    if (this.#state !== 'failed') this.#state = 'stopped';
    this.#settle(this.#failure('was stopped'));
    this.onEvent({ kind: 'stopped', part: this.name });
  }

  /**
   * Sends a signal to the process, for tests and fault injection. After SIGKILL it resolves when the process has ended, so that
   * `ready()` waits for the next process; after any other signal it resolves immediately.
   */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const process = this.#process;
    process?.signal(signal);
    if (signal !== 'SIGKILL' || process === undefined) return;
    await process.ended;
    if (this.#state === 'ready') this.#state = 'waiting';
  }

  async #keepRunning(leaving: AbortSignal): Promise<void> {
    const deadline = Date.now() + this.part.readyWithinMs;
    try {
      while (!leaving.aborted) await this.#runOnce(leaving, deadline);
    } catch (error) {
      await this.#process?.stop();
      this.#process = undefined;
      if (leaving.aborted) return;
      this.#fail(error instanceof PartFailed ? error : this.#failure(`cannot be started: ${sentence(error)}`));
    }
  }

  /** Runs the process once: from its start to its exit, and the wait after that. */
  async #runOnce(leaving: AbortSignal, deadline: number): Promise<void> {
    this.#state = 'starting';
    this.onEvent({ kind: 'starting', part: this.name });
    const command = await this.part.prepare(this.runToEnd);
    if (leaving.aborted) return;
    const process = await GuardedProcess.start(command, this.files);
    this.#process = process;
    if (leaving.aborted) await process.stop();
    const gone = new AbortController();
    const watching = this.#watch(AbortSignal.any([leaving, gone.signal]), deadline);
    const ending = await Promise.race([process.ended, watching.then(() => process.ended)]).finally(() => gone.abort());
    this.#process = undefined;
    if (!leaving.aborted) await this.#afterExit(ending, leaving);
  }

  /**
   * Polls until the part is ready. One deadline covers all starts until the part is ready for the first time; later starts have
   * none, because the part has proved that it can become ready.
   */
  async #watch(until: AbortSignal, deadline: number): Promise<void> {
    const startedAt = Date.now();
    while (!until.aborted) {
      if (await this.part.ready().catch(() => false)) break;
      if (!this.#readyBefore && Date.now() > deadline) {
        throw this.#failure(`was not ready within ${Math.round(this.part.readyWithinMs / 1000)} s`);
      }
      await sleep(POLL_MS);
    }
    if (until.aborted) return;
    this.onEvent({ kind: 'ready', part: this.name, afterMs: Date.now() - startedAt, again: this.#readyBefore });
    this.#state = 'ready';
    this.#readyBefore = true;
    this.#exits = [];
    this.#settle(undefined);
  }

  async #afterExit(ending: Ending, leaving: AbortSignal): Promise<void> {
    this.#exitCount += 1;
    this.#exits.push(Date.now());
    this.#state = 'waiting';
    const restart = decideRestart(this.#exits, Date.now());
    const how = ending.signal === null ? `exited with code ${ending.code}` : `was stopped by ${ending.signal}`;
    if (restart.kind === 'give-up') throw this.#failure(`${how}, and keeps exiting without becoming ready`);
    this.onEvent({ kind: 'exited', part: this.name, how, againInMs: restart.inMs });
    await sleep(restart.inMs, undefined, { signal: leaving }).catch(() => {});
  }

  #fail(failure: PartFailed): void {
    this.#state = 'failed';
    this.#run = undefined;
    this.#settle(failure);
    this.onFailed(failure);
  }

  #settle(failure: PartFailed | undefined): void {
    for (const waiter of this.#readyWaiters) failure === undefined ? waiter.resolve() : waiter.reject(failure);
    this.#readyWaiters.clear();
  }

  #failure(reason: string): PartFailed {
    return new PartFailed(this.name, reason, logTail(this.files.logFile), this.files.logFile);
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
