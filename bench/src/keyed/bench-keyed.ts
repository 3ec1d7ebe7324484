import { fileURLToPath } from 'node:url';
import { waitUntil } from '@carbon/local';
import { request } from 'undici';
import { type Posts, type PostsReport, postsReport } from '../accept/posts.js';
import { CpuMeter, type CpuTimes, cpuRows } from '../cpu.js';
import { Worker } from '../processes.js';
import { type Compared, type Row, rowAlone, rowOf, valuesOf } from '../results.js';
import type { Bench, BenchOptions, FreshDatabase } from '../stage.js';
import { alternate } from '../statistics.js';
import { withSystem } from '../whole-system.js';

const PROGRAM = fileURLToPath(new URL('../accept/post-offsets.js', import.meta.url));
const CONNECTIONS = 64;
const SLICE_MS = 6_000;
const WARM_UP_ROUNDS = 2;
/** Requests of each slice that are sent again, to a second gateway. */
const REPLAYS = 2_000;
const POLL_MS = 100;
const PUBLISH_TIMEOUT_MS = 120_000;
const PUBLISHED = 'SELECT count(*)::integer AS published FROM outbox WHERE published_at IS NOT NULL';
const LOOKUPS = /^carbon_gateway_idempotency_lookups_total\{outcome="(\w+)"\} (\d+)$/gm;
const THROUGHPUT = { atLeast: 0.85 } as const;
const ANSWERED = { atLeast: 99 } as const;
const RECOGNIZED = { atLeast: 100 } as const;

/** New requests, and the processor time until their outcomes are published. */
type Slice = PostsReport & { readonly cpu: CpuTimes };

/** The look-ups of one slice. */
interface Lookups {
  /** Percentage of their look-ups that got a response in time. */
  readonly answered: number;
  /** Percentage of the requests sent again to a second gateway that it recognized as replays. */
  readonly recognized: number;
}

/** Compares offsets accepted with an Idempotency-Key each with offsets without one, on the same running system. */
export const benchKeyed: Bench = async (options, openStage) => {
  const stage = await openStage();
  await using generator = new Worker(PROGRAM);
  options.report('keyed: starting the apps');
  const apps = { gateway: { instances: 2 }, catalog: { instances: 0 } };
  return await withSystem(stage, { apps }, options.signal, async ({ system, database, key }) => {
    const urls = { first: system.urls.gateway, second: system.part('gateway-2').url ?? '' };
    const pids = { gateway: system.part('gateway').pid, offsets: system.part('offsets').pid };
    const load = new Load(generator, database, new CpuMeter(database, pids), key, options);
    return { rows: await measure(load, urls, options), notes: NOTES };
  });
};

/** Posts slices. Waits after each until the outcomes of all its offsets are published, because a backlog would slow down the next. */
class Load {
  private accepted = 0;

  constructor(
    private readonly generator: Worker,
    private readonly database: FreshDatabase,
    private readonly cpu: CpuMeter,
    private readonly key: string,
    private readonly options: BenchOptions,
  ) {}

  /** Posts new requests for the duration of a slice. */
  postNew(gateway: string, keyedBy?: string): Promise<Slice> {
    return this.cpu.during(async () => {
      const report = await this.post(gateway, { ...(keyedBy !== undefined && { keyedBy }) });
      this.accepted += report.count;
      await this.untilPublished();
      return report;
    });
  }

  /** Posts the first requests of a keyed slice again. */
  repeat(gateway: string, keyedBy: string, count: number): Promise<PostsReport> {
    return this.post(gateway, { keyedBy, count });
  }

  private post(gateway: string, more: Pick<Posts, 'keyedBy' | 'count'>): Promise<PostsReport> {
    this.options.signal.throwIfAborted();
    const port = Number(new URL(gateway).port);
    const question = { port, key: this.key, connections: CONNECTIONS, ms: SLICE_MS, ...more };
    return this.generator.ask(question, postsReport);
  }

  private async untilPublished(): Promise<void> {
    let published = 0;
    const areAll = async () => {
      this.options.signal.throwIfAborted();
      ({ published } = await this.database.one<{ published: number }>(PUBLISHED));
      return published === this.accepted;
    };
    if (await waitUntil(areAll, PUBLISH_TIMEOUT_MS, POLL_MS)) return;
    throw new Error(`Of ${this.accepted} offsets only ${published} are published.`);
  }
}

type Gateways = Readonly<Record<'first' | 'second', string>>;

async function measure(
  load: Load,
  { first, second }: Gateways,
  { rounds, report: progress }: BenchOptions,
): Promise<Row[]> {
  const lookups: Lookups[] = [];
  const keyed = async (): Promise<Slice> => {
    const keyedBy = `slice-${lookups.length}-`;
    const before = await lookupsAnswered(first);
    const report = await load.postNew(first, keyedBy);
    const after = await lookupsAnswered(first);
    const again = await load.repeat(second, keyedBy, Math.min(REPLAYS, report.count));
    lookups.push({
      answered: (100 * (after - before)) / report.count,
      recognized: (100 * again.replayed) / again.count,
    });
    return report;
  };
  const variants = { ours: keyed, baseline: () => load.postNew(first) };
  progress('keyed: warming up');
  await alternate(variants, WARM_UP_ROUNDS);
  progress(`keyed: ${CONNECTIONS} connections`);
  return rowsOf(await alternate(variants, rounds), lookups.slice(WARM_UP_ROUNDS));
}

/** Returns the number of look-ups of a gateway that got a response. */
async function lookupsAnswered(gateway: string): Promise<number> {
  const { body } = await request(`${gateway}/metrics`);
  const counts = [...(await body.text()).matchAll(LOOKUPS)];
  if (counts.length === 0) throw new Error('The gateway counts no look-ups.');
  const answered = counts.filter(([, outcome]) => outcome !== 'unknown').map(([, , count]) => Number(count));
  return answered.reduce((sum, count) => sum + count, 0);
}

const NAMES = { gateway: 'the gateway', offsets: 'the offsets service', PostgreSQL: 'PostgreSQL' };

function rowsOf(found: Compared<Slice>, lookups: readonly Lookups[]): Row[] {
  const bench = 'keyed';
  const what = `accept with a key, ${CONNECTIONS} connections`;
  const compared = (figure: 'perSecond' | 'p50' | 'p99') => ({
    ...{ bench, against: 'without a key' },
    ...valuesOf(found, figure),
  });
  return [
    rowOf({ ...compared('perSecond'), what, unit: 'requests/s', goal: THROUGHPUT }),
    rowOf({ ...compared('p50'), what: `${what}: p50`, unit: 'ms' }),
    rowOf({ ...compared('p99'), what: `${what}: p99`, unit: 'ms' }),
    ...cpuRows({ bench, what, against: 'without a key' }, NAMES, found),
    rowAlone({
      ...{ bench, what: 'look-ups of keys that got a response in time', unit: '%', goal: ANSWERED },
      ours: lookups.map(({ answered }) => answered),
    }),
    rowAlone({
      ...{ bench, what: 'replays recognized by a second gateway', unit: '%', goal: RECOGNIZED },
      ours: lookups.map(({ recognized }) => recognized),
    }),
  ];
}

const NOTES = [
  'Keyed: POST /v1/offsets to one gateway of a whole system, whose offsets process completes them meanwhile; with a new Idempotency-Key each, and without. A slice starts when all outcomes of the previous one are published. A look-up without a response in time makes its POST faster, so those are counted.',
  `Keyed: after each slice, ${REPLAYS.toLocaleString('en-US')} of its requests are sent again to a second gateway, which has not seen them.`,
  'Keyed: CPU is the processor time until the outcomes of the slice are published, divided by the responses.',
];
