import { Injectable, Logger } from '@nestjs/common';

/** Asks one dependency whether it answers; throws, or rejects, when it does not. */
export type HealthCheck = () => unknown;

/** Whether a dependency answered. */
export type DependencyState = 'up' | 'down';

/** What an app says about itself. `waitingFor` names what its start still lacks. */
export interface Readiness {
  readonly state: 'ready' | 'starting' | 'draining' | 'unavailable';
  readonly waitingFor?: readonly string[];
  readonly dependencies: Readonly<Record<string, DependencyState>>;
}

interface Dependency {
  readonly name: string;
  readonly check: HealthCheck;
  readonly timeoutMs: number;
  readonly isNeeded: boolean;
  /** Undefined until the first check ends. */
  state: DependencyState | undefined;
}

const CHECK_TIMEOUT_MS = 1_000;
/** A probe is answered by then, with the last known state of what hangs: probes have time-outs of a second. */
const ANSWER_MS = 400;
/** An answer is given again for so long, so that asking often does not burden the dependencies. */
const KEPT_MS = 500;
const LISTENING = 'listening';

/**
 * An app's health. Ready once it listens and every gate is open, until it drains, as long as any dependency answers: an
 * app that has lost one of several still serves what needs the others.
 */
@Injectable()
export class Health {
  private readonly logger = new Logger('health');
  private readonly dependencies: Dependency[] = [];
  private readonly gates = new Set<string>([LISTENING]);
  private checking: Promise<void> | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private isDraining = false;

  /**
   * Watches a dependency, asked whenever somebody asks whether the app is ready. One that is not needed is shown, and
   * neither keeps the app ready nor makes it unready.
   */
  register(name: string, check: HealthCheck, { timeoutMs = CHECK_TIMEOUT_MS, isNeeded = true } = {}): void {
    this.dependencies.push({ name, check, timeoutMs, isNeeded, state: undefined });
  }

  /** Holds the app in `starting` until the returned function is called. */
  gate(name: string): () => void {
    this.gates.add(name);
    return () => void this.gates.delete(name);
  }

  /** The app listens. Called by `runService`. */
  listening(): void {
    this.gates.delete(LISTENING);
  }

  /** The app is about to stop: never ready again. Called by `runService`. */
  drain(): void {
    this.isDraining = true;
  }

  get draining(): boolean {
    return this.isDraining;
  }

  /** Answers well below a second, whatever hangs. */
  async readiness(): Promise<Readiness> {
    await endsWithin(ANSWER_MS, this.check());
    const dependencies = Object.fromEntries(this.dependencies.map(({ name, state = 'down' }) => [name, state]));
    if (this.isDraining) return { state: 'draining', dependencies };
    if (this.gates.size > 0) return { state: 'starting', waitingFor: [...this.gates], dependencies };
    const needed = this.dependencies.filter(({ isNeeded }) => isNeeded);
    const answers = needed.some(({ state }) => state === 'up');
    return { state: answers || needed.length === 0 ? 'ready' : 'unavailable', dependencies };
  }

  private check(): Promise<void> {
    if (this.checking === undefined && performance.now() - this.checkedAt > KEPT_MS) {
      this.checking = this.checkAll().finally(() => {
        this.checking = undefined;
        this.checkedAt = performance.now();
      });
    }
    return this.checking ?? Promise.resolve();
  }

  private async checkAll(): Promise<void> {
    await Promise.all(this.dependencies.map((dependency) => this.checkOne(dependency)));
  }

  private async checkOne(dependency: Dependency): Promise<void> {
    const before = dependency.state;
    try {
      await inTime(dependency);
      dependency.state = 'up';
      if (before === 'down') this.logger.log('A dependency answers again', { dependency: dependency.name });
    } catch (error) {
      dependency.state = 'down';
      if (before !== 'down') this.logger.warn('A dependency does not answer', error, { dependency: dependency.name });
    }
  }
}

async function inTime({ name, check, timeoutMs }: Dependency): Promise<void> {
  const isDone = await endsWithin(timeoutMs, Promise.resolve().then(check));
  if (!isDone) throw new Error(`${name} did not answer in ${timeoutMs} ms`);
}

/** Tells whether `work` ends in time; a failure of it is thrown. */
async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
