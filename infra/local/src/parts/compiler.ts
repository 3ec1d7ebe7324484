import { join } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { CHECKOUT } from '../checkout.js';
import type { ProcessPart } from '../supervise/part.js';
import { APPS } from './app.js';

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
