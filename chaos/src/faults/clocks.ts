import type { Fault } from '../fault.js';

const HOUR_MS = 3_600_000;
const SHIFTED_MS = [3_000, 5_000] as const;

const appClocks = (['gateway', 'offsets', 'catalog'] as const).map(
  (kind): Fault => ({
    name: `clock-of-${kind}`,
    does: `the clock of one process of ${kind} is an hour ahead, then an hour behind`,
    times: kind === 'gateway' ? { smoke: 1, ci: 1, full: 2 } : { ci: 1, full: 2 },
    inject: async ({ system, random, pause }) => {
      const part = `${system.name}-${random.pick(system.parts(kind)).name}`;
      try {
        for (const ms of [HOUR_MS, -HOUR_MS]) {
          system.clocks.shiftApp(part, ms);
          await pause(random.whole(...SHIFTED_MS));
        }
      } finally {
        system.clocks.shiftApp(part, 0);
      }
    },
  }),
);

/** An engine reads its clock shift when it starts, so it is restarted for each. */
const engineClocks = (['kafka', 'opensearch', 'postgres'] as const).map(
  (kind): Fault => ({
    name: `clock-of-${kind}`,
    does: `the clock of one process of ${kind} is an hour ahead, then an hour behind`,
    times: { full: 1 },
    needs: ['libfaketime'],
    inject: async ({ system, random, pause }) => {
      const part = random.pick(system.parts(kind));
      for (const ms of [HOUR_MS, -HOUR_MS, 0]) {
        system.clocks.shiftEngine(part.name, ms);
        await part.stop();
        await part.start();
        if (ms !== 0) await pause(random.whole(...SHIFTED_MS));
      }
    },
  }),
);

/** Wrong wall clocks, one process at a time. */
export const faults: readonly Fault[] = [...appClocks, ...engineClocks];
