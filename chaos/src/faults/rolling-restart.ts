import type { Fault } from '../fault.js';
import { KINDS } from '../system/chaos-system.js';

/** Rolling restarts, as for a new version. */
export const faults: readonly Fault[] = [
  {
    name: 'rolling-restart',
    does: 'SIGTERM and start of every app, one process after the other',
    times: { smoke: 1, ci: 1, full: 2 },
    inject: async ({ system, pause, random }) => {
      for (const kind of ['offsets', 'catalog', 'gateway'] as const)
        for (const part of system.parts(kind)) {
          await part.stop();
          await part.start();
          await pause(random.whole(0, 500));
        }
    },
  },
  {
    name: 'rolling-restart-of-engines',
    does: 'SIGTERM and start of every engine process, one after the other',
    times: { full: 2 },
    inject: async ({ system, pause }) => {
      for (const kind of KINDS.filter((kind) => ['kafka', 'opensearch', 'postgres'].includes(kind)))
        for (const part of system.parts(kind)) {
          await part.stop();
          await part.start();
          // The replicas of a broker catch up before the next restart, as an operator waits.
          await pause(3_000);
        }
    },
  },
];
