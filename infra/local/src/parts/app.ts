import { join } from 'node:path';
import { httpSettings, inheritedEnvironment } from '@carbon/config';
import { hardExitMs } from '@carbon/observability';
import { CHECKOUT } from '../checkout.js';
import type { ProcessPart } from '../supervise/part.js';

/** Variables of the launcher's environment that apps do not inherit, because the launcher sets them. */
const NOT_INHERITED =
  /^((MANAGEMENT_)?(PORT|HOST)|KAFKA_(BROKERS|TLS.*|SASL_.*)|(TOPIC|INDEX)_PREFIX|API_KEYS_FILE|((ID|IDEMPOTENCY|CURSOR|INTERNAL)_SECRETS|DATABASE_(URL|POOLER|MIGRATION_URL)|OPENSEARCH_(URL|USERNAME|PASSWORD|CA|CERT|KEY))(_FILE)?)$/;

/**
 * Returns the environment of an app or a step: its own settings, and the launcher's environment without the variables
 * that the launcher sets.
 */
export function environmentWith(
  own: Readonly<Record<string, string>>,
  inherited: Readonly<Record<string, string>> = inheritedEnvironment(),
): Record<string, string> {
  const kept = Object.entries(inherited).filter(([name]) => !NOT_INHERITED.test(name));
  return { ...Object.fromEntries(kept), ...own };
}

const ANSWER_TIMEOUT_MS = 1_500;

/** Returns whether this address responds with 200. @throws when it does not respond within 1.5 s */
export async function respondsOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  await answer.body?.cancel();
  return answer.status === 200;
}

/** Runs the compiler in watch mode: its output makes the apps reload. The first build is already done. */
export function compilerPart(): ProcessPart {
  const tsc = join(CHECKOUT, 'node_modules/ts7/bin/tsc');
  return {
    kind: 'process',
    name: 'compiler',
    after: [],
    prepare: async () => ({
      file: process.execPath,
      args: [tsc, '-b', '--watch', '--preserveWatchOutput', ...APPS.map((app) => join('apps', app))],
      cwd: CHECKOUT,
      env: inheritedEnvironment(),
      stopSignal: 'SIGTERM',
      stopWithinMs: 2_000,
    }),
    ready: async () => true,
    readyWithinMs: 10_000,
  };
}

/** The apps of the system. */
export const APPS = ['offsets', 'catalog', 'gateway'] as const;
export type AppName = (typeof APPS)[number];

/** The options of one app process. */
export interface AppPartOptions {
  readonly app: AppName;
  /** Its name among the parts: the app's own for the first, `offsets-2` for the second. */
  readonly name: string;
  readonly after: readonly string[];
  readonly stopsBefore?: readonly string[];
  readonly port: number;
  /** Its settings; the launcher's environment provides the others. */
  readonly environment: Readonly<Record<string, string>>;
  /** Restarts it whenever one of its files changes. */
  readonly reload: boolean;
  /** The maximum time until it is ready, in ms. */
  readonly readyWithinMs?: number | undefined;
}

const READY_TIMEOUT_MS = 120_000;
/** An app exits by itself before it is killed. */
const KILL_MARGIN_MS = 5_000;

/** Returns one app as a part; its readiness check decides when it is ready. */
export function appPart(options: AppPartOptions): ProcessPart {
  const main = join(CHECKOUT, 'apps', options.app, 'dist', 'main.js');
  const url = `http://127.0.0.1:${options.port}`;
  return {
    kind: 'process',
    name: options.name,
    after: options.after,
    ...(options.stopsBefore && { stopsBefore: options.stopsBefore }),
    prepare: async () => {
      const env = environmentWith({ ...options.environment, PORT: String(options.port) });
      return {
        file: process.execPath,
        args: options.reload ? ['--watch', '--watch-preserve-output', main] : [main],
        cwd: CHECKOUT,
        env,
        stopSignal: 'SIGTERM',
        stopWithinMs: hardExitMs(graceMsOf(env)) + KILL_MARGIN_MS,
      };
    },
    ready: () => respondsOk(`${url}/health/ready`),
    readyWithinMs: options.readyWithinMs ?? READY_TIMEOUT_MS,
    url,
  };
}

/** Returns the app's grace period. The app does not start with an invalid one. */
function graceMsOf({ SHUTDOWN_GRACE_MS }: Readonly<Record<string, string>>): number {
  return httpSettings(0).SHUTDOWN_GRACE_MS.safeParse(SHUTDOWN_GRACE_MS).data ?? 0;
}
