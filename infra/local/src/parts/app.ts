import { join } from 'node:path';
import { httpSettings, inheritedEnvironment } from '@carbon/config';
import { hardExitMs } from '@carbon/observability';
import { CHECKOUT } from '../checkout.js';
import type { ProcessPart } from '../supervise/part.js';

/** What the launcher decides for each app and step must not come in by the shell, nor one app's secrets to another. */
const DECIDED =
  /^((MANAGEMENT_)?(PORT|HOST)|KAFKA_(BROKERS|TLS.*|SASL_.*)|(TOPIC|INDEX)_PREFIX|API_KEYS_FILE|((ID|IDEMPOTENCY|CURSOR|INTERNAL)_SECRETS|DATABASE_\w+|OPENSEARCH_(URL|USERNAME|PASSWORD|CA|CERT|KEY))(_FILE)?)$/;

/** The environment of an app or a step: its own settings, and of the launcher's what the launcher does not decide. */
export function environmentWith(
  own: Readonly<Record<string, string>>,
  launchers: Readonly<Record<string, string>> = inheritedEnvironment(),
): Record<string, string> {
  const kept = Object.entries(launchers).filter(([name]) => !DECIDED.test(name));
  return { ...Object.fromEntries(kept), ...own };
}

const ANSWER_WITHIN_MS = 1_500;

/** Whether this address answers 200 now. */
export async function answersOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  await answer.body?.cancel();
  return answer.status === 200;
}

/** The compiler, watching: what it writes anew makes the apps load anew. The first build has been made before. */
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

/** What one running app is made from. */
export interface AppPartOptions {
  readonly app: AppName;
  /** Its name among the parts: the app's own for the first, `offsets-2` for the second. */
  readonly name: string;
  readonly after: readonly string[];
  readonly port: number;
  /** Its settings; of the launcher's own environment it inherits what these do not name. */
  readonly environment: Readonly<Record<string, string>>;
  /** Let node start it again whenever one of its files changes. */
  readonly reload: boolean;
  /** How long it may take until it is ready, in ms. */
  readonly readyWithinMs?: number | undefined;
}

const READY_WITHIN_MS = 120_000;
/** An app exits by itself before it is killed. */
const KILL_MARGIN_MS = 5_000;

/** One app as a part: ready when it says so itself. */
export function appPart(options: AppPartOptions): ProcessPart {
  const main = join(CHECKOUT, 'apps', options.app, 'dist', 'main.js');
  const url = `http://127.0.0.1:${options.port}`;
  return {
    kind: 'process',
    name: options.name,
    after: options.after,
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
    ready: () => answersOk(`${url}/health/ready`),
    readyWithinMs: options.readyWithinMs ?? READY_WITHIN_MS,
    url,
  };
}

/** The app's grace period. It does not start with one that cannot be read. */
function graceMsOf({ SHUTDOWN_GRACE_MS }: Readonly<Record<string, string>>): number {
  return httpSettings(0).SHUTDOWN_GRACE_MS.safeParse(SHUTDOWN_GRACE_MS).data ?? 0;
}
