import { fileURLToPath } from 'node:url';
import { CpuMeter, type CpuTimes, cpuRows } from '../cpu.js';
import { type Backlog, backlogOf, publishBacklog } from '../drain/backlog.js';
import { type Condition, PUBLISHED, until } from '../drain/progress.js';
import { type LoadReport, loadReport } from '../load/load.js';
import { Worker } from '../processes.js';
import { type Row, rowOf, valuesOf } from '../results.js';
import { type Bench, type BenchOptions, internalHeaders, type Stage } from '../stage.js';
import { alternate } from '../statistics.js';
import { type WholeSystem, withSystem } from '../whole-system.js';
import { fillGrown, type GrowthRequests, growthRequests } from './grown-store.js';

const PROGRAM = fileURLToPath(new URL('../load/load-generator.js', import.meta.url));
const SMALL = 10_000;
const CONNECTIONS = 16;
const GOAL = { atLeast: 0.7 } as const;
const APPS = { gateway: { instances: 0 }, catalog: { instances: 0 } };

/** The stores have no other events; those of a backlog are inserted when its offsets are completed. */
const eventsAtLeast = (count: number): Condition => ({
  sql: 'SELECT count(*) >= $1 AS so FROM outbox',
  parameters: [count],
});

/** Compares an offsets process on a very large store with one on a small store. */
export const benchGrowth: Bench = async (options, openStage) => {
  const stage = await openStage();
  await using generator = new Worker(PROGRAM);
  const start = <T>(work: (running: WholeSystem) => Promise<T>) =>
    withSystem(stage, { apps: APPS }, options.signal, work);
  return await start((few) =>
    start(async (many) => {
      await fillGrown(few.database, SMALL, options.report);
      await fillGrown(many.database, options.offsets, options.report);
      const stores = {
        ours: new Store(many, options.offsets, stage, generator, options),
        baseline: new Store(few, SMALL, stage, generator, options),
      };
      return { rows: await measure(stores, options), notes: NOTES };
    }),
  );
};

/** An offsets process with its store. */
class Store {
  readonly requests: GrowthRequests;
  private sent = 0;

  constructor(
    private readonly running: WholeSystem,
    offsets: number,
    private readonly stage: Stage,
    private readonly generator: Worker,
    private readonly options: BenchOptions,
  ) {
    this.requests = growthRequests(offsets, (account) => internalHeaders(running.system, account));
  }

  /** Returns the requests per second, and the processor time of each process per request. */
  async ask(what: keyof GrowthRequests): Promise<Measured> {
    this.options.signal.throwIfAborted();
    const { system } = this.running;
    const load = { connections: CONNECTIONS, ms: this.options.sliceMs, from: this.sent };
    const question = { ...load, origin: system.urls.offsets, requests: this.requests[what] };
    const report = await this.meter().during((): Promise<LoadReport> => this.generator.ask(question, loadReport));
    this.sent += report.count + CONNECTIONS;
    return report;
  }

  /** Drains a backlog that is published before the process starts. Returns the completed offsets per second. */
  async drain({ count, ...backlog }: Backlog): Promise<Measured> {
    const { system, database } = this.running;
    const offsets = system.part('offsets');
    await offsets.stop();
    await publishBacklog(this.stage.engines.kafkaBrokers, system.environment.TOPIC_PREFIX ?? '', { count, ...backlog });
    const [, drained] = await Promise.all([offsets.start(), this.timeEvents(count)]);
    await database.run('TRUNCATE outbox');
    return drained;
  }

  /** The processor time is until the last event is published. */
  private async timeEvents(count: number): Promise<Measured> {
    const { database } = this.running;
    const { signal } = this.options;
    const begun = await until(database, eventsAtLeast(1), signal);
    const { first } = await database.one<{ first: number }>('SELECT count(*)::integer AS first FROM outbox');
    return await this.meter().during(async () => {
      const done = await until(database, eventsAtLeast(count), signal);
      await until(database, PUBLISHED, signal);
      return { count: count - first, perSecond: (count - first) / ((done - begun) / 1000) };
    });
  }

  private meter(): CpuMeter {
    const { system, database } = this.running;
    return new CpuMeter(database, { offsets: system.part('offsets').pid });
  }
}

/** What one round measured: a rate, and the processor time of each process for one request or offset. */
interface Measured {
  readonly perSecond: number;
  readonly cpu: CpuTimes;
}

type Stores = Readonly<Record<'ours' | 'baseline', Store>>;

async function measure({ ours, baseline }: Stores, { backlog, offsets, rounds, report }: BenchOptions): Promise<Row[]> {
  const of = `of ${offsets.toLocaleString('en-US')} offsets`;
  const row = (what: string) => ({
    bench: 'growth',
    what: `${what}, ${of}`,
    against: `of ${SMALL.toLocaleString('en-US')}`,
  });
  const compare = async (what: string, unit: string, measured: (store: Store) => Promise<Measured>) => {
    report(`growth: ${what}`);
    const variants = { ours: () => measured(ours), baseline: () => measured(baseline) };
    await alternate(variants, 1);
    const found = await alternate(variants, rounds);
    return [
      rowOf({ ...row(what), unit, goal: GOAL, ...valuesOf(found, 'perSecond') }),
      ...cpuRows(row(what), NAMES, found),
    ];
  };
  const rows: Row[] = [];
  for (const request of Object.keys(ours.requests) as (keyof GrowthRequests)[]) {
    const what = `${request}, ${CONNECTIONS} connections`;
    rows.push(...(await compare(what, 'requests/s', (store) => store.ask(request))));
  }
  const drain = `drain ${backlog.toLocaleString('en-US')} requests`;
  // New requests, because known ones are ignored.
  return [...rows, ...(await compare(drain, 'offsets/s', (store) => store.drain(backlogOf(backlog))))];
}

const NAMES = { offsets: 'the offsets service', PostgreSQL: 'PostgreSQL' };

const NOTES = [
  'Growth: two identical offsets services with two databases of one PostgreSQL, asked as a gateway asks them. The databases are filled by SQL, with an account and an exhausted asset, preferred to all others, for every hundred offsets. Lists are the first pages of random accounts.',
];
