import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { z } from 'zod';
import { type LoadReport, type LoadRequest, loadReport } from '../load/load.js';
import { Worker } from '../processes.js';
import { type Goal, type Row, rowOf } from '../results.js';
import { type Bench, type BenchOptions, INDEXED_WITHIN_MS, type Stage } from '../stage.js';
import { alternate } from '../statistics.js';
import { gatewayRequest, REPEATED, SEARCHES } from './queries.js';
import { compareAnswers, recordQueries } from './record-queries.js';

const POLL_MS = 200;
const WITHIN_MS = 120_000;

const stats = z.object({ _all: z.object({ total: z.object({ merges: z.object({ current: z.int() }) }) }) });

/**
 * Waits until OpenSearch has merged its segments, because that would take processor time from either variant at random.
 */
export async function mergesOver(opensearchUrl: string, index: string): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const { body } = await request(`${opensearchUrl}/${index}/_stats/merge`);
    if (stats.parse(await body.json())._all.total.merges.current === 0) return;
    if (performance.now() > end) throw new Error(`${index} is still being merged after ${WITHIN_MS / 1000} s`);
    await pause(POLL_MS);
  }
}

const PROGRAM = fileURLToPath(new URL('../load/load-generator.js', import.meta.url));
/** The numbers of concurrent requests. */
const LEVELS = [1, 8, 32] as const;
/** A Java program becomes several times faster in its first thousands of requests. */
const WARM_UP_SLICES = 6;
const WARM_UP_LEVEL = 8;

const SHARED = { bench: 'search', against: 'OpenSearch directly' } as const;
const LATENCY_GOAL = { atMost: 1.5 } as const;
const FIRST_TIME_GOAL = { atLeast: 0.85 } as const;
const REPEATED_GOAL = { atLeast: 5 } as const;

/** One path to OpenSearch. */
interface SearchPath {
  readonly origin: string;
  readonly requests: readonly LoadRequest[];
}

type SearchPaths = Readonly<Record<'gateway' | 'direct', SearchPath>>;
type Send = (path: SearchPath, connections: number) => Promise<LoadReport>;

/** The reports of both variants, by round. */
interface Measurements {
  readonly ours: readonly LoadReport[];
  readonly baseline: readonly LoadReport[];
}

/** Compares searches through the gateway with the same queries sent to OpenSearch by undici. */
export const benchSearch: Bench = async (options, openStage) => {
  const stage = await openStage();
  const prefix = stage.freshPrefix();
  options.report(`search: publishing ${options.assets} projects`);
  await stage.makeTopics(prefix);
  await stage.fillTopic(prefix);
  options.report('search: starting the apps; the catalog indexes');
  const system = await stage.start({
    topicPrefix: prefix,
    indexPrefix: prefix,
    apps: { catalog: { readyWithinMs: INDEXED_WITHIN_MS } },
  });
  const generator = new Worker(PROGRAM);
  try {
    options.report('search: waiting until OpenSearch has merged its index');
    await mergesOver(stage.engines.opensearchUrl, `${prefix}projects`);
    options.report('search: recording the queries of the catalog to OpenSearch');
    const direct = await recordQueries(stage, prefix);
    await compareAnswers(system.urls.gateway, stage.engines.opensearchUrl, direct);
    return { rows: await measure(pathsOf(system.urls.gateway, stage, direct), generator, options), notes: NOTES };
  } finally {
    await generator.end();
    await system.stop();
    await stage.clear(prefix);
  }
};

function pathsOf(gateway: string, { engines }: Stage, direct: readonly LoadRequest[]): SearchPaths {
  return {
    gateway: { origin: gateway, requests: SEARCHES.map(gatewayRequest) },
    direct: { origin: engines.opensearchUrl, requests: direct },
  };
}

async function measure(paths: SearchPaths, generator: Worker, options: BenchOptions): Promise<Row[]> {
  let used = 0;
  const send: Send = async ({ origin, requests }, connections) => {
    options.signal.throwIfAborted();
    const question = { origin, requests, connections, ms: options.sliceMs, from: used };
    const report = await generator.ask(question, loadReport);
    used += report.count + connections;
    return report;
  };
  options.report('search: warming up');
  for (let turn = 0; turn < WARM_UP_SLICES; turn += 1)
    await send(turn % 2 === 0 ? paths.direct : paths.gateway, WARM_UP_LEVEL);
  const rows: Row[] = [];
  for (const level of LEVELS) {
    options.report(`search, first time, ${level} at a time`);
    rows.push(...firstTimeRows(level, await alternating(paths, send, level, options.rounds)));
  }
  // The same number in every request, so that caches return the same search.
  const again = { gateway: only(paths.gateway), direct: only(paths.direct) };
  for (const level of LEVELS) {
    options.report(`search, repeated, ${level} at a time`);
    rows.push(...repeatedRows(level, await alternating(again, send, level, options.rounds)));
  }
  return rows;
}

async function alternating({ gateway, direct }: SearchPaths, send: Send, level: number, rounds: number) {
  const variants = { ours: () => send(gateway, level), baseline: () => send(direct, level) };
  await alternate(variants, 1);
  return await alternate(variants, rounds);
}

/** The latency that the gateway and the catalog add to a search that OpenSearch must answer. */
function firstTimeRows(level: number, measured: Measurements): Row[] {
  const what = `search, first time, ${level} at a time`;
  // With one search at a time nothing waits for a processor, so the added latency shows. With more, throughput counts.
  return [
    throughput(what, measured, level === 1 ? undefined : FIRST_TIME_GOAL),
    latency(what, 'p50', measured, level === 1 ? LATENCY_GOAL : undefined),
    latency(what, 'p99', measured),
  ];
}

/** The rows for repetitions of one search. */
function repeatedRows(level: number, measured: Measurements): Row[] {
  const what = `search, repeated, ${level} at a time`;
  return [throughput(what, measured, REPEATED_GOAL), latency(what, 'p50', measured), latency(what, 'p99', measured)];
}

function throughput(what: string, measured: Measurements, goal?: Goal): Row {
  return rowOf({ ...SHARED, what, unit: 'searches/s', ...values(measured, 'perSecond'), ...(goal && { goal }) });
}

function latency(what: string, share: 'p50' | 'p99', measured: Measurements, goal?: Goal): Row {
  const more = { ...SHARED, what: `${what}: ${share}`, unit: 'ms', comparison: 'difference' } as const;
  return rowOf({ ...more, ...values(measured, share), ...(goal && { goal }) });
}

function values({ ours, baseline }: Measurements, of: 'perSecond' | 'p50' | 'p99') {
  return { ours: ours.map((report) => report[of]), baseline: baseline.map((report) => report[of]) };
}

function only({ origin, requests }: SearchPath): SearchPath {
  const request = requests[REPEATED];
  if (request === undefined) throw new RangeError(`There is no search ${REPEATED}.`);
  const { method, path, body } = request;
  const fixed = (text: string) => text.replaceAll('{n}', '500000');
  return { origin, requests: [{ method, path: fixed(path), ...(body !== undefined && { body: fixed(body) }) }] };
}

const NOTES = [
  'Searches: 20 different ones in turn, with a limit of 26 assets; the direct path sends the same bytes to OpenSearch that the catalog sends.',
  'First time: a bound of every request ends in six digits that no other request of the run has, and that do not change the result. So neither path can use a cached response.',
  'Repeated: one of the 20 searches, repeatedly. The catalog may answer from its cache for at most a second; OpenSearch does not cache pages of results.',
];
