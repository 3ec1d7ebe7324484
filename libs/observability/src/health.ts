import { Injectable, Logger } from '@nestjs/common';
import { withTimeout } from './timeout.js';

/** Checks one dependency; throws or rejects when the dependency does not answer. */
export type HealthCheck = () => unknown;

/** Whether a dependency answered the last check. */
export type DependencyState = 'up' | 'down';

/** The readiness of an app. `waitingFor` names the gates that are closed during the start. */
export interface Readiness {
  readonly state: 'ready' | 'starting' | 'draining' | 'unavailable';
  readonly waitingFor?: readonly string[];
  readonly dependencies: Readonly<Record<string, DependencyState>>;
}

interface Dependency {
  readonly name: string;
  readonly check: HealthCheck;
  readonly timeoutMs: number;
  readonly affectsReadiness: boolean;
  /** Undefined until the first check ends. */
  state: DependencyState | undefined;
}

const CHECK_TIMEOUT_MS = 1_000;
/** How long a probe waits for running checks. Probes of orchestrators time out after about 1 s. */
const PROBE_TIMEOUT_MS = 400;
/** Results are cached, so that frequent probes do not burden the dependencies. */
const CACHE_MS = 500;
const LISTENING = 'listening';

/**
 * Tracks the health of an app. The app is ready while it listens, every gate is open, it does not drain, and at least one of the
 * dependencies that affect readiness is up: an app that has lost one of several still serves requests that need the others.
 */
@Injectable()
export class Health {
  private readonly logger = new Logger('health');
  private readonly dependencies: Dependency[] = [];
  private readonly gates = new Set<string>([LISTENING]);
  private checking: Promise<void> | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private isDraining = false;

  /** Registers a dependency, which probes check. One that does not affect the readiness is only listed. */
  register(name: string, check: HealthCheck, { timeoutMs = CHECK_TIMEOUT_MS, affectsReadiness = true } = {}): void {
    this.dependencies.push({ name, check, timeoutMs, affectsReadiness, state: undefined });
  }

  /** Keeps the app in `starting` until the returned function is called. */
  gate(name: string): () => void {
    this.gates.add(name);
    return () => void this.gates.delete(name);
  }

  /** Called by `runService` when the app listens. */
  listening(): void {
    this.gates.delete(LISTENING);
  }

  /** Makes the app permanently unready. `runService` calls it before the app stops. */
  drain(): void {
    this.isDraining = true;
  }

  /** Returns the readiness within `PROBE_TIMEOUT_MS`, even if a check hangs: then with the last known states. */
  async readiness(): Promise<Readiness> {
    await withTimeout(PROBE_TIMEOUT_MS, this.check()).catch(() => {});
    const dependencies = Object.fromEntries(this.dependencies.map(({ name, state = 'down' }) => [name, state]));
    if (this.isDraining) return { state: 'draining', dependencies };
    if (this.gates.size > 0) return { state: 'starting', waitingFor: [...this.gates], dependencies };
    const relevant = this.dependencies.filter(({ affectsReadiness }) => affectsReadiness);
    const isAnyUp = relevant.length === 0 || relevant.some(({ state }) => state === 'up');
    return { state: isAnyUp ? 'ready' : 'unavailable', dependencies };
  }

  private check(): Promise<void> {
    if (this.checking === undefined && performance.now() - this.checkedAt > CACHE_MS) {
      this.checking = Promise.all(this.dependencies.map((dependency) => this.checkOne(dependency))).then(() => {
        this.checking = undefined;
        this.checkedAt = performance.now();
      });
    }
    return this.checking ?? Promise.resolve();
  }

  private async checkOne(dependency: Dependency): Promise<void> {
    const { name, check, timeoutMs, state } = dependency;
    try {
      await withTimeout(timeoutMs, Promise.resolve().then(check));
      dependency.state = 'up';
      if (state === 'down') this.logger.log('Dependency is up again', { dependency: name });
    } catch (error) {
      dependency.state = 'down';
      if (state !== 'down') this.logger.warn('Dependency is down', error, { dependency: name });
    }
  }
}
