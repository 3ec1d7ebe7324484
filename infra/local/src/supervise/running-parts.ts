import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../processes/guarded-process.js';
import { type AdaptCommand, type Part, type PartEvent, PartFailed, type ProcessPart, type StepPart } from './part.js';
import { RunFailed, type RunToEnd, runToEnd } from './run-to-end.js';
import { SupervisedPart } from './supervised-part.js';

/** The folders of the parts' logs and pid files, and the receiver of events. */
export interface RunningPartsOptions {
  readonly logDir: string;
  readonly pidDir: string;
  readonly onEvent: (event: PartEvent) => void;
  /** Commands are unchanged by default. */
  readonly adapt?: AdaptCommand | undefined;
}

/** A list of running parts: started concurrently as far as their order allows, stopped in the opposite order. */
export class RunningParts {
  /** Resolves with the reason when a part has failed permanently. Never rejects; never resolves otherwise. */
  readonly failed: Promise<PartFailed>;
  readonly #supervised = new Map<string, SupervisedPart>();
  readonly #started = new Map<string, Promise<void>>();
  /** Steps that are running or done. */
  readonly #steps = new Map<string, Promise<string | undefined>>();
  readonly #ending = new AbortController();
  #stopping: Promise<void> | undefined;

  constructor(
    private readonly parts: readonly Part[],
    private readonly options: RunningPartsOptions,
  ) {
    for (const folder of [options.logDir, options.pidDir]) mkdirSync(folder, { recursive: true });
    const { promise, resolve } = Promise.withResolvers<PartFailed>();
    this.failed = promise;
    for (const part of parts) {
      if (part.kind !== 'process') continue;
      const files = { logFile: this.#logFile(part.name), pidFile: join(options.pidDir, `${part.name}.json`) };
      const run = runToEnd(part.name, options, this.#ending.signal);
      this.#supervised.set(part.name, new SupervisedPart(this.#adapted(part), files, run, options.onEvent, resolve));
    }
  }

  /** Starts all of them; resolves when every process is ready and every step done, rejects with the first failure. */
  async start(): Promise<void> {
    const all = Promise.all(this.parts.map((part) => this.#startInTurn(part)));
    // A part that was ready may fail while others still start.
    await Promise.race([all, this.failed.then((failure) => Promise.reject(failure))]);
  }

  /** Returns one process part by its name; throws if there is none, with the existing names. */
  part(name: string): SupervisedPart {
    const part = this.#supervised.get(name);
    if (part === undefined)
      throw new Error(`no part "${name}"; the parts are: ${[...this.#supervised.keys()].join(', ')}`);
    return part;
  }

  /** Stops all of them, each after the parts that need it. Calling it again awaits the same stop. */
  async stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    await this.#stopping;
  }

  /** A part named in `after` that is not in the list is external, and counts as ready. */
  #startInTurn(part: Part): Promise<void> {
    const known = this.#started.get(part.name);
    if (known !== undefined) return known;
    const before = this.parts.filter((other) => part.after.includes(other.name));
    const started = Promise.all(before.map((other) => this.#startInTurn(other))).then(() => this.#startOne(part));
    this.#started.set(part.name, started);
    return started;
  }

  async #startOne(part: Part): Promise<void> {
    if (this.#stopping !== undefined) throw new PartFailed(part.name, 'was not started: stopping');
    if (part.kind === 'process') return await this.part(part.name).start();
    this.options.onEvent({ kind: 'starting', part: part.name });
    const taken = this.#take(part);
    this.#steps.set(part.name, taken);
    this.options.onEvent({ kind: 'done', part: part.name, sentence: await taken });
  }

  async #take(step: StepPart): Promise<string | undefined> {
    try {
      return await step.run(this.#adaptedRun(step.name), this.#ending.signal);
    } catch (error) {
      if (error instanceof RunFailed || !(error instanceof Error)) throw error;
      throw new PartFailed(step.name, `failed: ${error.message}`);
    }
  }

  #adapted(part: ProcessPart): ProcessPart {
    return { ...part, prepare: async (run) => this.#adapt(part.name, await part.prepare(run)) };
  }

  #adaptedRun(name: string): RunToEnd {
    const run = runToEnd(name, this.options, this.#ending.signal);
    return async (command, timeoutMs) => run(await this.#adapt(name, command), timeoutMs);
  }

  async #adapt(name: string, command: Command): Promise<Command> {
    return this.options.adapt?.(name, command) ?? command;
  }

  /** A running step has got the signal, and is waited for, because what it needs is stopped next. */
  async #stopOne({ kind, name }: Part): Promise<void> {
    if (kind === 'process') await this.part(name).stop();
    else await this.#steps.get(name)?.catch(() => {});
  }

  async #stopAll(): Promise<void> {
    this.#ending.abort();
    const stopped = new Map<string, Promise<void>>();
    const stopInTurn = (part: Part): Promise<void> => {
      const known = stopped.get(part.name);
      if (known !== undefined) return known;
      const needers = this.parts.filter((other) => stoppedAfter(other).includes(part.name));
      const done = Promise.all(needers.map(stopInTurn)).then(() => this.#stopOne(part));
      stopped.set(part.name, done);
      return done;
    };
    await Promise.all(this.parts.map(stopInTurn));
  }

  #logFile(name: string): string {
    return join(this.options.logDir, `${name}.log`);
  }
}

/** Starts parts whose logs and pid files are in `dir`; resolves when all are ready, and stops them if one fails. */
export async function startParts(
  dir: string,
  parts: readonly Part[],
  { onEvent = () => {}, adapt }: Partial<Pick<RunningPartsOptions, 'onEvent' | 'adapt'>> = {},
): Promise<RunningParts> {
  const running = new RunningParts(parts, { logDir: join(dir, 'logs'), pidDir: join(dir, 'run'), onEvent, adapt });
  await running.start().catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  return running;
}

/** The parts that stop once this one has stopped. */
function stoppedAfter(part: Part): readonly string[] {
  return part.kind === 'step' ? part.after : [...part.after, ...(part.stopsBefore ?? [])];
}
