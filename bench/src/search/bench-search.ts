import { fileURLToPath } from 'node:url';
import { waitUntil } from '@carbon/local';
import { request } from 'undici';
import { z } from 'zod';
import { CpuMeter } from '../cpu.js';
import { STARTER_LIBRARY } from '../library.js';
import { Worker } from '../processes.js';
import type { Row } from '../results.js';
import { type Bench, type BenchOptions, INDEXED_TIMEOUT_MS, type Stage } from '../stage.js';
import { withSystem } from '../whole-system.js';
import { type MeasuredLibrary, measureSearches } from './measure-searches.js';
import { gatewayRequest, SEARCHES } from './queries.js';
import { compareAnswers, recordQueries } from './record-queries.js';

const POLL_MS = 200;
const TIMEOUT_MS = 120_000;

const stats = z.object({ _all: z.object({ total: z.object({ merges: z.object({ current: z.int() }) }) }) });

/**
 * Waits until OpenSearch has merged its segments, because that would take processor time from either variant at random.
 */
export async function mergesOver(opensearchUrl: string, index: string, signal: AbortSignal): Promise<void> {
  const areOver = async () => {
    signal.throwIfAborted();
    const { body } = await request(`${opensearchUrl}/${index}/_stats/merge`);
    return stats.parse(await body.json())._all.total.merges.current === 0;
  };
  if (await waitUntil(areOver, TIMEOUT_MS, POLL_MS)) return;
  throw new Error(`${index} is still being merged after ${TIMEOUT_MS / 1000} s`);
}

const PROGRAM = fileURLToPath(new URL('../load/load-generator.js', import.meta.url));

/** A library to search, and the file of its assets. */
interface Library extends MeasuredLibrary {
  readonly file: string;
}

/** Compares searches through the gateway with the same queries sent to OpenSearch by undici. */
export const benchSearch: Bench = async (options, openStage) => {
  const stage = await openStage();
  const rows: Row[] = [];
  for (const library of librariesOf(stage, options)) rows.push(...(await searchLibrary(library, stage, options)));
  return { rows, notes: NOTES };
};

function librariesOf(stage: Stage, { assets }: BenchOptions): readonly Library[] {
  return [
    {
      name: 'starter library',
      file: STARTER_LIBRARY,
      goals: { firstTime: { atLeast: 0.6 }, repeated: { atLeast: 10 } },
    },
    {
      name: `${assets.toLocaleString('en-US')} projects`,
      file: stage.libraryFile(),
      goals: { firstTime: { atLeast: 0.85 }, repeated: { atLeast: 10 } },
    },
  ];
}

async function searchLibrary(library: Library, stage: Stage, options: BenchOptions): Promise<Row[]> {
  const { opensearchUrl } = stage.engines;
  await using generator = new Worker(PROGRAM);
  const apps = { offsets: { instances: 0 }, catalog: { readyWithinMs: INDEXED_TIMEOUT_MS } };
  options.report(`search: starting the apps; the catalog indexes the ${library.name}`);
  return await withSystem(stage, { apps, library: library.file }, options.signal, async ({ system, key }) => {
    const { INDEX_PREFIX: prefix = '' } = system.environment;
    options.report('search: waiting until OpenSearch has merged its index');
    await mergesOver(opensearchUrl, `${prefix}projects`, options.signal);
    options.report('search: recording the queries of the catalog to OpenSearch');
    const direct = await recordQueries(stage, prefix);
    const headers = { authorization: `Bearer ${key}` };
    const ours = SEARCHES.map((search) => ({ ...gatewayRequest(search), headers }));
    await compareAnswers({ origin: system.urls.gateway, requests: ours }, opensearchUrl, direct);
    const OpenSearch = stage.pidOf('opensearch');
    const pids = { gateway: system.part('gateway').pid, catalog: system.part('catalog').pid, OpenSearch };
    const paths = {
      gateway: { origin: system.urls.gateway, requests: ours, cpu: new CpuMeter(undefined, pids) },
      direct: { origin: opensearchUrl, requests: direct, cpu: new CpuMeter(undefined, { OpenSearch }) },
    };
    return await measureSearches(paths, library, generator, options);
  });
}

const NOTES = [
  'Searches: 20 different ones in turn, with a limit of 26 assets, with a key whose limit is counted; the direct path sends the same bytes to OpenSearch that the catalog sends.',
  'First time: a bound of every request ends in six digits that no other request of the run has, and that do not change the result. So neither path can use a cached response.',
  'Repeated: one of the 20 searches, repeatedly. Gateway and catalog may answer from their caches for at most a second together; OpenSearch does not cache pages of results.',
  'Searches: CPU is the processor time that the processes used, divided by the responses; that of OpenSearch is part of both variants. The load generator is not counted, but shares the machine.',
];
