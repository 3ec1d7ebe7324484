import { fileURLToPath } from 'node:url';
import { gramsPosted, postsReport } from '../accept/posts.js';
import { CpuMeter, type CpuTimes, cpuRows } from '../cpu.js';
import { PUBLISHED, retiredAtLeast, until } from '../drain/progress.js';
import { Worker } from '../processes.js';
import { type Row, rowAlone } from '../results.js';
import { auditLedger, type Bench, type BenchOptions } from '../stage.js';
import { type WholeSystem, withSystem } from '../whole-system.js';

const PROGRAM = fileURLToPath(new URL('../accept/post-offsets.js', import.meta.url));
const CONNECTIONS = 64;
/** With a backlog of 2 s after 60 s of this rate, exactly 3,000 per second are completed. */
const PER_SECOND = 3_100;
const WARM_UP_MS = 15_000;
const MEASURED_MS = 60_000;
const COMPLETED = { atLeast: 3_000 } as const;
const P99 = { atMost: 100 } as const;
const BACKLOG_SECONDS = { atMost: 2 } as const;

/** A load of keyed requests, from the first until the last is completed. */
interface Sustained {
  readonly count: number;
  /** Offsets per second, until the last was completed. */
  readonly completedPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Seconds from the last response until the last offset was completed. */
  readonly backlogSeconds: number;
}

type Measured = Sustained & { readonly cpu: CpuTimes };

/** Measures how a whole system sustains a rate of keyed requests for a minute. */
export const benchSustained: Bench = async (options, openStage) => {
  const stage = await openStage();
  await using generator = new Worker(PROGRAM);
  options.report('sustained: starting the apps');
  return await withSystem(stage, {}, options.signal, async (running) => {
    const { system, database } = running;
    const pids = {
      gateway: system.part('gateway').pid,
      offsets: system.part('offsets').pid,
      ...(stage.pidOf('kafka') !== undefined && { kafka: stage.pidOf('kafka') }),
      generator: generator.pid,
    };
    const found = await measure(running, generator, new CpuMeter(database, pids), options);
    await auditLedger(database, options);
    return { rows: rowsOf(found), notes: NOTES };
  });
};

async function measure(
  { system, database, key }: WholeSystem,
  generator: Worker,
  cpu: CpuMeter,
  { rounds, report, signal }: BenchOptions,
): Promise<Measured[]> {
  const port = Number(new URL(system.urls.gateway).port);
  let posted = 0;
  const load = async (ms: number): Promise<Sustained> => {
    signal.throwIfAborted();
    const question = { port, key, connections: CONNECTIONS, ms, perSecond: PER_SECOND, keyedBy: `from-${posted}-` };
    const begun = performance.now();
    const { count, p50, p99 } = await generator.ask(question, postsReport);
    const ended = performance.now();
    posted += count;
    const completed = await until(database, retiredAtLeast(gramsPosted(posted)), signal);
    await until(database, PUBLISHED, signal);
    const seconds = (completed - begun) / 1000;
    return { count, p50, p99, completedPerSecond: count / seconds, backlogSeconds: (completed - ended) / 1000 };
  };
  report('sustained: warming up');
  await load(WARM_UP_MS);
  const found: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    report(`sustained: ${PER_SECOND} a second for ${MEASURED_MS / 1000} s, round ${round} of ${rounds}`);
    found.push(await cpu.during(() => load(MEASURED_MS)));
  }
  return found;
}

const NAMES = {
  gateway: 'the gateway',
  offsets: 'the offsets service',
  PostgreSQL: 'PostgreSQL',
  kafka: 'Kafka',
  generator: 'the load generator',
};

function rowsOf(found: readonly Measured[]): Row[] {
  const bench = 'sustained';
  const what = `POST with a key to completed, ${PER_SECOND.toLocaleString('en-US')} a second for ${MEASURED_MS / 1000} s`;
  const of = (figure: Exclude<keyof Sustained, 'count'>) => ({ bench, ours: found.map((one) => one[figure]) });
  return [
    rowAlone({ ...of('completedPerSecond'), what: `${what}: completed`, unit: 'offsets/s', goal: COMPLETED }),
    rowAlone({ ...of('p50'), what: `${what}, until 202: p50`, unit: 'ms' }),
    rowAlone({ ...of('p99'), what: `${what}, until 202: p99`, unit: 'ms', goal: P99 }),
    rowAlone({ ...of('backlogSeconds'), what: `${what}: backlog at the end`, unit: 's', goal: BACKLOG_SECONDS }),
    ...cpuRows({ bench, what }, NAMES, { ours: found }),
  ];
}

const NOTES = [
  `Sustained: one process of each app, with the starter library; ${CONNECTIONS} connections post at their planned times, each request with a new Idempotency-Key. A request that is due while every connection waits for a response is late, which counts in its latency; one that is still due after the minute is not sent. The backlog is the time from the last response until the last offset is completed.`,
  'Sustained: CPU is the processor time until the outcomes are published, divided by the requests; PostgreSQL without its background processes. The load generator shares the machine.',
];
