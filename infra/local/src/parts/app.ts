import { join } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { CHECKOUT } from '../checkout.js';
import type { ProcessPart } from '../supervise/part.js';
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
}

/** One app as a part: ready when it says so itself. */
export function appPart(options: AppPartOptions): ProcessPart {
  const main = join(CHECKOUT, 'apps', options.app, 'dist', 'main.js');
  return {
    kind: 'process',
    name: options.name,
    after: options.after,
    prepare: async () => ({
      file: process.execPath,
      args: options.reload ? ['--watch', '--watch-preserve-output', main] : [main],
      cwd: CHECKOUT,
      env: { ...othersRemoved(inheritedEnvironment()), ...options.environment, PORT: String(options.port) },
      stopSignal: 'SIGTERM',
      stopWithinMs: 15_000,
    }),
    ready: () => answersOk(`http://127.0.0.1:${options.port}/health/ready`),
    readyWithinMs: 120_000,
  };
}

/** What the launcher decides for each app must not come in by the shell, nor one app's secrets to another. */
const DECIDED =
  /^(PORT|HOST|(ID|IDEMPOTENCY|CURSOR)_SECRETS(_FILE)?|DATABASE_URL(_FILE)?|KAFKA_BROKERS|OPENSEARCH_URL)$/;

function othersRemoved(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !DECIDED.test(name)));
}
