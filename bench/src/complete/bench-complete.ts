import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Worker } from '../processes.js';
import { type Row, rowAlone } from '../results.js';
import { auditLedger, type Bench } from '../stage.js';
import { withSystem } from '../whole-system.js';

/** Posts offsets at a steady rate, independent of responses, and follows each until it is completed. */
export const openLoop = z.object({
  origin: z.url(),
  perSecond: z.number().positive(),
  ms: z.number().positive(),
});
export type OpenLoop = z.output<typeof openLoop>;

const latencies = z.object({ p50: z.number(), p99: z.number(), max: z.number() });

/** The results in milliseconds from the planned time of each post: a late generator counts as slow. */
export const openLoopReport = z.object({
  count: z.int(),
  /** Until the 202. */
  accepted: latencies,
  /** Until a GET returned `completed`. */
  completed: latencies,
});
export type OpenLoopReport = z.output<typeof openLoopReport>;

const PROGRAM = fileURLToPath(new URL('post-and-follow.js', import.meta.url));
const PER_SECOND = 100;
const WARM_UP_MS = 15_000;
const MEASURED_MS = 25_000;
const P50 = { atMost: 15 } as const;
const P99 = { atMost: 60 } as const;
/** An open gateway, and no app in production mode. */
const APPS = { catalog: { instances: 0 }, gateway: { environment: {} }, offsets: { environment: {} } };

/**
 * Measures from POST until GET returns `completed`, through a gateway and an offsets process, at a steady rate.
 */
export const benchComplete: Bench = async (options, openStage) => {
  const stage = await openStage();
  options.report('complete: starting the apps');
  await using generator = new Worker(PROGRAM);
  return await withSystem(stage, { apps: APPS }, options.signal, async ({ system, database }) => {
    const question = { origin: system.urls.gateway, perSecond: PER_SECOND };
    options.report('complete: warming up');
    await generator.ask({ ...question, ms: WARM_UP_MS }, openLoopReport);
    const found: OpenLoopReport[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      options.signal.throwIfAborted();
      options.report(
        `complete: ${PER_SECOND} a second for ${MEASURED_MS / 1000} s, round ${round} of ${options.rounds}`,
      );
      found.push(await generator.ask({ ...question, ms: MEASURED_MS }, openLoopReport));
    }
    await auditLedger(database, options);
    return { rows: rowsOf(found), notes: NOTES };
  });
};

function rowsOf(found: readonly OpenLoopReport[]): Row[] {
  const what = `POST to completed, ${PER_SECOND} a second`;
  const alone = { bench: 'complete', unit: 'ms' } as const;
  return [
    rowAlone({ ...alone, what: `${what}: p50`, ours: found.map(({ completed }) => completed.p50), goal: P50 }),
    rowAlone({ ...alone, what: `${what}: p99`, ours: found.map(({ completed }) => completed.p99), goal: P99 }),
    rowAlone({ ...alone, what: `${what}: longest`, ours: found.map(({ completed }) => completed.max) }),
    rowAlone({ ...alone, what: `${what}, until 202: p50`, ours: found.map(({ accepted }) => accepted.p50) }),
    rowAlone({ ...alone, what: `${what}, until 202: p99`, ours: found.map(({ accepted }) => accepted.p99) }),
  ];
}

const NOTES = [
  'POST to completed: each offset is posted at its planned time, independently of earlier ones, and polled, 10 ms after each response, until it is completed; measured from the planned time until that response. The load generator, the two apps and the three engines share the machine.',
];
