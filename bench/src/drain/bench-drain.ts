import { CpuMeter, type CpuTimes, cpuRows } from '../cpu.js';
import { STARTER_LIBRARY } from '../library.js';
import { fromRoot, pidOf, runProgram } from '../processes.js';
import { type Row, rowOf, valuesOf } from '../results.js';
import { auditLedger, type Bench, type BenchOptions, type FreshDatabase, freshDatabase, type Stage } from '../stage.js';
import { alternate } from '../statistics.js';
import { type Backlog, backlogOf, publishBacklog } from './backlog.js';
import { PUBLISHED, RECORDED, retiredAtLeast, until } from './progress.js';

/** The throughput of a backlog, in offsets per second. */
export interface Drained {
  /** Until the last offset was completed. */
  readonly perSecond: number;
  /** Until the last outcome was published; the same for a baseline, which publishes nothing. */
  readonly publishedPerSecond: number;
  /** The processor time of each process for an offset, until the last outcome was published. Microseconds. */
  readonly cpu: CpuTimes;
}

/** The program that drains. */
interface DrainedBy {
  /** Whether it publishes the outcomes. */
  readonly publishes: boolean;
  /** Finds its processes, by name. */
  readonly pids: () => Readonly<Record<string, number | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Measures a program that processes a backlog into a database: from the moment its first offset is there, so that
 * neither starting nor joining a group counts, until all grams are retired. The offsets of the first commit are not
 * counted.
 */
export async function timeDrain(
  database: FreshDatabase,
  { count, grams }: Backlog,
  { publishes, pids, signal }: DrainedBy,
): Promise<Drained> {
  const begun = await until(database, RECORDED, signal);
  const atFirst = await completed(database);
  const { done, published, cpu } = await new CpuMeter(database, pids()).during(async () => {
    const done = await until(database, retiredAtLeast(grams), signal);
    return { done, published: publishes ? await until(database, PUBLISHED, signal) : done, count: count - atFirst };
  });
  const rate = (end: number) => (count - atFirst) / ((end - begun) / 1000);
  return { perSecond: rate(done), publishedPerSecond: rate(published), cpu };
}

/** @throws Error unless this many completed offsets are written with all their rows */
export async function requireAll(database: FreshDatabase, count: number): Promise<void> {
  const found = await database.one<{ offsets: number; entries: number; events: number }>(
    `SELECT (SELECT count(*) FROM offsets WHERE status = 'completed')::integer AS offsets,
       (SELECT count(DISTINCT offset_id) FROM ledger)::integer AS entries, (SELECT count(*) FROM outbox)::integer AS events`,
  );
  if (found.offsets === count && found.entries === count && found.events === count) return;
  throw new Error(`Instead of ${count} offsets there are ${JSON.stringify(found)}.`);
}

async function completed(database: FreshDatabase): Promise<number> {
  const sql = `SELECT count(*)::integer AS completed FROM offsets WHERE status = 'completed'`;
  return (await database.one<{ completed: number }>(sql)).completed;
}

const OFFSETS = fromRoot('apps/offsets/dist/main.js');
const UNNEST = fromRoot('bench/dist/baselines/drain-unnest.js');
const TYPEORM = fromRoot('bench/dist/baselines/drain-typeorm.js');
const BASELINES = {
  unnest: { file: UNNEST, name: 'unnest alone', publishes: false },
  announcing: { file: UNNEST, name: 'unnest, published and marked', publishes: true },
  typeorm: { file: TYPEORM, name: 'a transaction each', publishes: false },
} as const;
/** More would take minutes with the same result. */
const TYPEORM_BACKLOG = 3_000;
const AGAINST_UNNEST = { atLeast: 0.45 } as const;
const AGAINST_ANNOUNCING = { atLeast: 0.6 } as const;
const AGAINST_TYPEORM = { atLeast: 15 } as const;

/** Compares processing a backlog by one offsets process with programs that write the same rows. */
export const benchDrain: Bench = async (options, openStage) => {
  const stage = await openStage();
  options.report(`drain: making ${options.backlog} requests`);
  const backlog = backlogOf(options.backlog);
  const less = backlogOf(TYPEORM_BACKLOG);
  const variants = {
    ours: () => drainByService(stage, backlog, options),
    unnest: () => drainByProgram(stage, BASELINES.unnest, backlog, options),
    announcing: () => drainByProgram(stage, BASELINES.announcing, backlog, options),
    typeorm: () => drainByProgram(stage, BASELINES.typeorm, less, options),
  };
  const found = await alternate(variants, options.rounds);
  return { rows: rowsOf(found, options.backlog), notes: NOTES };
};

/** Each run has new topics and a new database, with the backlog published before it starts. */
async function inNewPlace<T>(
  stage: Stage,
  backlog: Backlog,
  signal: AbortSignal,
  work: (topicPrefix: string, database: FreshDatabase) => Promise<T>,
): Promise<T> {
  const topicPrefix = stage.freshPrefix();
  const database = await freshDatabase(stage.engines.databaseUrl, signal);
  try {
    await stage.makeTopics(topicPrefix);
    await publishBacklog(stage.engines.kafkaBrokers, topicPrefix, backlog);
    return await work(topicPrefix, database);
  } finally {
    await database.drop();
    await stage.clear(topicPrefix);
  }
}

/** Measures a program that is started meanwhile; the measurement is given up if the start fails. */
async function timeStarted<T>(
  database: FreshDatabase,
  backlog: Backlog,
  by: DrainedBy,
  start: (timed: Promise<Drained>) => Promise<T>,
): Promise<{ readonly timed: Promise<Drained>; readonly started: T }> {
  const over = new AbortController();
  const timed = timeDrain(database, backlog, { ...by, signal: AbortSignal.any([by.signal, over.signal]) });
  // It is awaited only once the program has started, and an interruption rejects it before.
  timed.catch(() => {});
  try {
    return { timed, started: await start(timed) };
  } catch (error) {
    over.abort();
    await timed.catch(() => {});
    throw error;
  }
}

function drainByService(stage: Stage, backlog: Backlog, options: BenchOptions): Promise<Drained> {
  const { report, signal } = options;
  report(`drain: ${backlog.count} offsets by the service`);
  return inNewPlace(stage, backlog, signal, async (topicPrefix, database) => {
    await stage.fillTopic(topicPrefix, STARTER_LIBRARY);
    const by = { publishes: true, pids: () => ({ offsets: pidOf(OFFSETS, topicPrefix) }), signal };
    const { timed, started } = await timeStarted(database, backlog, by, () =>
      stage.start({
        topicPrefix,
        engines: { ...stage.engines, databaseUrl: database.url },
        apps: { gateway: { instances: 0 }, catalog: { instances: 0 } },
      }),
    );
    const drained = await timed.finally(() => started.stop());
    await requireAll(database, backlog.count);
    await auditLedger(database, options);
    return drained;
  });
}

function drainByProgram(
  stage: Stage,
  { file, name, publishes }: (typeof BASELINES)[keyof typeof BASELINES],
  backlog: Backlog,
  { report, signal }: BenchOptions,
): Promise<Drained> {
  report(`drain: ${backlog.count} offsets by ${name}`);
  return inNewPlace(stage, backlog, signal, async (topicPrefix, database) => {
    const args = [stage.engines.kafkaBrokers, `${topicPrefix}offset.requested`, database.url, String(backlog.count)];
    if (publishes) args.push(`${topicPrefix}offset.completed`);
    const by = { publishes, pids: () => ({ offsets: pidOf(file, topicPrefix) }), signal };
    const start = (drained: Promise<Drained>) => runProgram(file, args, {}, signal, drained);
    const { timed } = await timeStarted(database, backlog, by, start);
    const drained = await timed;
    await requireAll(database, backlog.count);
    return drained;
  });
}

type Found = Readonly<Record<'ours' | 'unnest' | 'announcing' | 'typeorm', readonly Drained[]>>;

function rowsOf({ ours, unnest, announcing, typeorm }: Found, count: number): Row[] {
  const what = `drain ${count.toLocaleString('en-US')} requests to completed`;
  const row = (against: string, baseline: readonly Drained[], figure: 'perSecond' | 'publishedPerSecond') => ({
    ...{ bench: 'drain', what, unit: 'offsets/s', against },
    ...valuesOf({ ours, baseline }, figure),
  });
  const publishing = 'kafkajs and unnest, published and marked';
  const published = row(publishing, announcing, 'publishedPerSecond');
  return [
    rowOf({ ...row('kafkajs and unnest alone', unnest, 'perSecond'), goal: AGAINST_UNNEST }),
    rowOf({ ...published, what: `${what} and published`, goal: AGAINST_ANNOUNCING }),
    ...cpuRows(
      { bench: 'drain', what: 'drain and publish one offset', against: publishing },
      { offsets: 'offsets', PostgreSQL: 'PostgreSQL' },
      { ours, baseline: announcing },
    ),
    rowOf({ ...row('a TypeORM transaction each', typeorm, 'perSecond'), goal: AGAINST_TYPEORM }),
  ];
}

const NOTES = [
  'Drain: one offsets process, started with a full topic; from the first recorded offset until the last gram is retired, and, measured separately, until the last outcome is published. The ledger passes the audit after each round. Processor time of PostgreSQL is that of the sessions.',
  `Drain: ${'`drain-unnest`'} writes the same offsets, ledger entries, supply and outbox into the same tables, one statement per table for all messages of a fetch, and makes no decisions; published and marked, it also publishes each outcome with kafkajs and marks it in one statement a batch, while it writes the next; ${'`drain-typeorm`'} drains ${TYPEORM_BACKLOG.toLocaleString('en-US')} requests, and is compared by its throughput.`,
];
