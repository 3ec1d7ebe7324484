import { fileURLToPath } from 'node:url';
import { freePorts } from '@carbon/local';
import { request } from 'undici';
import { CpuMeter, type CpuTimes, cpuRows } from '../cpu.js';
import { randomFrom } from '../library.js';
import { fromRoot, Worker } from '../processes.js';
import { type Compared, type Row, rowOf, valuesOf } from '../results.js';
import type { Bench, BenchOptions } from '../stage.js';
import { alternate } from '../statistics.js';
import { withSystem } from '../whole-system.js';
import { type CompletedStore, fillWithCompleted } from './completed-store.js';
import { type GetsReport, getsReport } from './gets.js';

const PROGRAM = fileURLToPath(new URL('get-paths.js', import.meta.url));
const BASELINE = fromRoot('bench/dist/baselines/bare-read.js');
const ACCOUNT = 'bench';
const OFFSETS = 200_000;
const PAGE = 26;
const SEED = 3;
const CONNECTIONS = 16;
/** More than any variant serves per millisecond. */
const PATHS_PER_MS = 25;
const COMPARED = 50;
const AGAINST = 'bare Fastify and one prepared statement';
const THROUGHPUT = { atLeast: 0.45 } as const;
const ADDED_MS = { atMost: 0.8 } as const;

/** A server, and the processor time of its processes; PostgreSQL serves both variants. */
interface Variant {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cpu: CpuMeter;
}

type Variants = Readonly<Record<'ours' | 'baseline', Variant>>;
/** A load, and the processor time of each process per response, in microseconds. */
type Measured = GetsReport & { readonly cpu: CpuTimes };

/** Compares reads of completed offsets, one by one and in pages, with a bare server on the same rows. */
export const benchRead: Bench = async (options, openStage) => {
  const stage = await openStage();
  options.report('read: starting the apps');
  const apps = { catalog: { instances: 0 } };
  return await withSystem(stage, { apps, library: false }, options.signal, async ({ system, database, key }) => {
    const port = (await freePorts()).GATEWAY_PORT;
    await using baseline = new Worker(BASELINE, [database.url, ACCOUNT, String(port)]);
    await using generator = new Worker(PROGRAM);
    await baseline.started();
    options.report(`read: filling a store with ${OFFSETS} completed offsets`);
    const store = await fillWithCompleted(database, ACCOUNT, OFFSETS, system.environment);
    const variants = {
      ours: {
        port: Number(new URL(system.urls.gateway).port),
        headers: { authorization: `Bearer ${key}` },
        cpu: new CpuMeter(database, { gateway: system.part('gateway').pid, offsets: system.part('offsets').pid }),
      },
      baseline: { port, headers: {}, cpu: new CpuMeter(database, { baseline: baseline.pid }) },
    };
    return { rows: await measure(variants, store, generator, options), notes: NOTES };
  });
};

async function measure(
  variants: Variants,
  store: CompletedStore,
  generator: Worker,
  options: BenchOptions,
): Promise<Row[]> {
  const random = randomFrom(SEED);
  const before = () => store.timeAfter(PAGE + Math.floor(random() * (OFFSETS - PAGE)));
  const ones = store.ids.map((id) => `/v1/offsets?id=${id}`);
  const pages = store.ids.map(() => `/v1/offsets?limit=${PAGE}&createdTo=${before()}`);
  for (const paths of [ones, pages]) await requireSameBodies(variants, paths.slice(0, COMPARED));
  const alternating = async (
    what: string,
    paths: readonly string[],
    connections: number,
  ): Promise<Compared<Measured>> => {
    options.report(`read: ${what}`);
    const used = { ours: 0, baseline: 0 };
    const variant = (name: keyof Variants) => async () => {
      const from = used[name];
      const some = paths.slice(from, from + options.sliceMs * PATHS_PER_MS);
      options.signal.throwIfAborted();
      const { port, headers, cpu } = variants[name];
      const question = { port, headers, paths: some, connections, ms: options.sliceMs };
      const measured = await cpu.during(() => generator.ask(question, getsReport));
      used[name] = from + measured.count > paths.length / 2 ? 0 : from + measured.count;
      return measured;
    };
    const both = { ours: variant('ours'), baseline: variant('baseline') };
    await alternate(both, 1);
    return await alternate(both, options.rounds);
  };
  const one = 'GET one completed offset';
  const list = `list of ${PAGE}`;
  return [
    ...throughput(one, await alternating(one, ones, CONNECTIONS)),
    added(one, await alternating(`${one}, 1 connection`, ones, 1)),
    ...throughput(list, await alternating(list, pages, CONNECTIONS)),
  ];
}

/** A variant that returned less would be faster. */
async function requireSameBodies({ ours, baseline }: Variants, paths: readonly string[]): Promise<void> {
  const bodyOf = async ({ port, headers }: Variant, path: string) =>
    (await request(`http://127.0.0.1:${port}${path}`, { headers })).body.text();
  for (const path of paths) {
    const [own, other] = [await bodyOf(ours, path), await bodyOf(baseline, path)];
    if (own !== other) throw new Error(`The variants respond differently to ${path}:\n${own}\n${other}`);
  }
}

function throughput(what: string, found: Compared<Measured>): Row[] {
  const row = { bench: 'read', what: `${what}, ${CONNECTIONS} connections`, against: AGAINST };
  const names = { gateway: 'the gateway', offsets: 'the offsets service', PostgreSQL: 'PostgreSQL' };
  return [
    rowOf({ ...row, unit: 'requests/s', goal: THROUGHPUT, ...valuesOf(found, 'perSecond') }),
    ...cpuRows(row, names, found),
  ];
}

function added(what: string, found: Compared<Measured>): Row {
  const row = { bench: 'read', what: `${what}, 1 connection: p50`, unit: 'ms', against: AGAINST, goal: ADDED_MS };
  return rowOf({ ...row, comparison: 'difference', ...valuesOf(found, 'p50') });
}

const NOTES = [
  `Read: ${OFFSETS.toLocaleString('en-US')} completed offsets, every third retired from two assets. Ids and ends of pages are random; no row asks a variant for the same one again within seconds, and no variant caches responses. Both variants return the same bytes.`,
  'Read: CPU is the processor time that the processes used, divided by the responses. The load generator is not counted, but shares the machine.',
];
