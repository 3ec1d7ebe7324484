import { join } from 'node:path';
import { httpSettings } from '@carbon/config';
import { hardExitMs } from '@carbon/observability';
import { CHECKOUT } from '../checkout.js';
import type { ProcessPart } from '../supervise/part.js';
import { environmentWith } from './environment-with.js';
import { answersOk } from './http-ready.js';

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
