import { fileURLToPath } from 'node:url';
import { gramsPosted, type PostsReport, postsReport } from '../accept/posts.js';
import { PUBLISHED, retiredAtLeast, until } from '../drain/progress.js';
import { type LoadReport, loadReport } from '../load/load.js';
import { residentMb, Worker } from '../processes.js';
import { type MeasuredAlone, type Row, rowAlone } from '../results.js';
import { gatewayRequest, SEARCHES } from '../search/queries.js';
import type { Bench, BenchOptions } from '../stage.js';
import { type WholeSystem, withSystem } from '../whole-system.js';
import { type DatabaseSize, growthPerOffset, sizeAfterRetention } from './database-size.js';

const POSTS = fileURLToPath(new URL('../accept/post-offsets.js', import.meta.url));
const SEARCH = fileURLToPath(new URL('../load/load-generator.js', import.meta.url));
const APPS = ['gateway', 'catalog', 'offsets'] as const;
const POSTING = 64;
const POSTS_PER_SECOND = 1_500;
const SEARCHING = 4;
/** A cold OpenSearch takes too long for its first searches beside posts. */
const SEARCHES_ALONE_MS = 5_000;
/** Then the gateway's cache of 100,000 recent requests is filled in the first round. */
const WARM_UP_MS = 60_000;
const MEASURED_MS = 15_000;
const SAMPLE_MS = 100;
const MEMORY_MB = { atMost: 150 } as const;
const DISK_BYTES = { atMost: 1_500 } as const;

type Memory = Readonly<Record<(typeof APPS)[number], number>>;

/** The results of one load. */
interface Footprint {
  readonly posts: PostsReport;
  readonly searches: LoadReport;
  /** The maximum resident memory of each app during the load, in MB. */
  readonly memory: Memory;
  /** Bytes per offset completed so far, after the retention of the outbox. */
  readonly disk: DatabaseSize;
}

/** Measures the memory of the apps under load, and the disk space of completed offsets. */
export const benchFootprint: Bench = async (options, openStage) => {
  const stage = await openStage();
  await using posts = new Worker(POSTS);
  await using searches = new Worker(SEARCH);
  options.report('footprint: starting the apps');
  return await withSystem(stage, {}, options.signal, async (running) => ({
    rows: rowsOf(await measure(running, { posts, searches }, options)),
    notes: NOTES,
  }));
};

type Generators = Readonly<Record<'posts' | 'searches', Worker>>;

async function measure(
  { system, database, key }: WholeSystem,
  generators: Generators,
  { rounds, report, signal }: BenchOptions,
): Promise<Footprint[]> {
  const origin = system.urls.gateway;
  const headers = { authorization: `Bearer ${key}` };
  const requests = SEARCHES.map((search) => ({ ...gatewayRequest(search), headers }));
  const posting = { port: Number(new URL(origin).port), key, connections: POSTING, perSecond: POSTS_PER_SECOND };
  const empty = await sizeAfterRetention(database);
  const pidOf = (app: (typeof APPS)[number]) => system.part(app).pid;
  let [posted, searched] = [0, 0];
  const search = async (ms: number, connections: number) => {
    const found = await generators.searches.ask({ origin, requests, connections, ms, from: searched }, loadReport);
    searched += found.count + connections;
    return found;
  };
  const load = async (ms: number): Promise<Footprint> => {
    signal.throwIfAborted();
    const both = Promise.all([
      generators.posts.ask({ ...posting, ms, keyedBy: `from-${posted}-` }, postsReport),
      search(ms, SEARCHING),
    ]);
    const { result, memory } = await maxMemoryDuring(both, pidOf);
    const [posts, searches] = result;
    posted += posts.count;
    await until(database, retiredAtLeast(gramsPosted(posted)), signal);
    await until(database, PUBLISHED, signal);
    return { posts, searches, memory, disk: growthPerOffset(empty, await sizeAfterRetention(database), posted) };
  };
  report('footprint: warming up');
  await search(SEARCHES_ALONE_MS, 1);
  await load(WARM_UP_MS);
  const found: Footprint[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    report(`footprint: ${MEASURED_MS / 1000} s of posts and searches, round ${round} of ${rounds}`);
    found.push(await load(MEASURED_MS));
  }
  return found;
}

async function maxMemoryDuring<T>(
  work: Promise<T>,
  pidOf: (app: (typeof APPS)[number]) => number | undefined,
): Promise<{ readonly result: T; readonly memory: Memory }> {
  const memory = { gateway: 0, catalog: 0, offsets: 0 };
  const sample = () => {
    for (const app of APPS) memory[app] = Math.max(memory[app], residentMb(pidOf(app)));
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  try {
    return { result: await work, memory };
  } finally {
    clearInterval(sampling);
  }
}

function rowsOf(found: readonly Footprint[]): Row[] {
  const row = (what: string, unit: string, of: (one: Footprint) => number, goal?: MeasuredAlone['goal']) =>
    rowAlone({ bench: 'footprint', what, unit, ours: found.map(of), ...(goal && { goal }) });
  return [
    row('memory of the gateway under load', 'MB', ({ memory }) => memory.gateway, MEMORY_MB),
    row('memory of the catalog under load', 'MB', ({ memory }) => memory.catalog, MEMORY_MB),
    row('memory of the offsets service under load', 'MB', ({ memory }) => memory.offsets),
    row('POST with a key meanwhile', 'requests/s', ({ posts }) => posts.perSecond),
    row('searches meanwhile', 'searches/s', ({ searches }) => searches.perSecond),
    row('disk per completed offset', 'bytes', ({ disk }) => disk.all, DISK_BYTES),
    row('disk per completed offset: offsets and their indexes', 'bytes', ({ disk }) => disk.offsets),
    row('disk per completed offset: ledger and its indexes', 'bytes', ({ disk }) => disk.ledger),
  ];
}

const NOTES = [
  `Footprint: one process of each app, with the starter library; ${POSTS_PER_SECOND.toLocaleString('en-US')} posts a second with a new Idempotency-Key each, and at the same time ${SEARCHING} connections search without pauses. Memory is the maximum resident memory of the process in ten samples a second.`,
  'Footprint: disk space is what all tables and indexes of PostgreSQL grew by, divided by the completed offsets. The outbox is empty, as after its retention, and dead rows are vacuumed.',
];
