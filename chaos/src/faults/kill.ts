import type { Fault } from '../fault.js';
import { KINDS, type Kind } from '../system/chaos-system.js';

/** The slow tests kill single processes of each kind under load, so `smoke` does not. */
const TIMES: Readonly<Record<Kind, Fault['times']>> = {
  gateway: { ci: 1, full: 2 },
  offsets: { ci: 1, full: 2 },
  catalog: { ci: 1, full: 2 },
  kafka: { ci: 2, full: 3 },
  opensearch: { full: 2 },
  postgres: { ci: 1, full: 2 },
};

/** `kill -9` of one process of each kind, which its supervisor restarts. */
const killOne = KINDS.map(
  (kind): Fault => ({
    name: `kill-${kind}`,
    does: `kill -9 of one process of ${kind}`,
    times: TIMES[kind],
    inject: async ({ system, random }) => {
      const part = random.pick(system.parts(kind));
      await part.ready();
      await part.kill('SIGKILL');
      await part.ready();
    },
  }),
);

/** All processes of the offsets service at the same time: nobody continues their work until a lease expires. */
const killAllOffsets: Fault = {
  name: 'kill-all-offsets',
  does: 'kill -9 of every process of offsets at the same time, three times',
  times: { smoke: 1, ci: 1, full: 2 },
  inject: async ({ system, random, pause }) => {
    for (let times = 0; times < 3; times += 1) {
      await Promise.all(system.parts('offsets').map((part) => part.kill('SIGKILL')));
      await Promise.all(system.parts('offsets').map((part) => part.ready()));
      await pause(random.whole(200, 1_500));
    }
  },
};

/** Killed processes. */
export const faults: readonly Fault[] = [...killOne, killAllOffsets];
