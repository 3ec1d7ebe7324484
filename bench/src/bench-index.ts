import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@carbon/local';
import { z } from 'zod';
import { CpuMeter, type CpuTimes, cpuRows } from './cpu.js';
import { OpenSearchProbe } from './open-search-probe.js';
import { fromRoot, pidOf, Worker } from './processes.js';
import { rowOf, valuesOf } from './results.js';
import { type Bench, type BenchOptions, INDEXED_TIMEOUT_MS, type Stage } from './stage.js';
import { alternate } from './statistics.js';

const POLL_MS = 20;
/** A catalog that has caught up has nothing more to write. */
const AFTER_READY_MS = 5_000;

/** How fast a library was built, and the processor time of each process for an asset, in microseconds. */
interface Indexed {
  readonly perSecond: number;
  readonly cpu: CpuTimes;
}

/** A library that the catalog has just built. */
interface Built extends Indexed {
  /** The prefix of its indices. */
  readonly prefix: string;
}

/**
 * Starts a catalog without an index for a full topic, and measures from the first written documents until all are
 * searchable. (The time before, to connect and join the group, does not depend on the number of documents.)
 */
async function indexByCatalog(
  stage: Stage,
  topicPrefix: string,
  probe: OpenSearchProbe,
  { assets, signal }: BenchOptions,
): Promise<Built> {
  const prefix = stage.freshPrefix();
  const starting = stage.start({
    topicPrefix,
    indexPrefix: prefix,
    apps: { catalog: { readyWithinMs: INDEXED_TIMEOUT_MS }, gateway: { instances: 0 }, offsets: { instances: 0 } },
  });
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const short = starting.then(async () => {
    await pause(AFTER_READY_MS, undefined, { signal: either });
    throw new Error('The catalog says that it has caught up, but not all assets are in its index.');
  });
  try {
    const meter = () =>
      new CpuMeter(undefined, {
        indexer: pidOf(CATALOG, prefix),
        OpenSearch: stage.pidOf('opensearch'),
        Kafka: stage.pidOf('kafka'),
      });
    const indexed = await Promise.race([timeWrites(probe, `${prefix}projects*`, assets, meter, either), short]);
    return { ...indexed, prefix };
  } finally {
    over.abort();
    await short.catch(() => {});
    await starting.then((system) => system.stop());
  }
}

async function timeWrites(
  probe: OpenSearchProbe,
  index: string,
  assets: number,
  meter: () => CpuMeter,
  signal: AbortSignal,
): Promise<Indexed> {
  const first = await writtenAtLeast(probe, index, 1, signal);
  const begun = performance.now();
  const { count, cpu } = await meter().during(async () => {
    await writtenAtLeast(probe, index, assets, signal);
    const found = await probe.refreshed(index);
    if (found !== assets) throw new Error(`Only ${found} of ${assets} assets are searchable.`);
    return { count: assets - first };
  });
  return { perSecond: count / ((performance.now() - begun) / 1000), cpu };
}

async function writtenAtLeast(probe: OpenSearchProbe, index: string, assets: number, signal: AbortSignal) {
  let written = 0;
  const isWritten = async () => {
    signal.throwIfAborted();
    written = await probe.written(index);
    return written >= assets;
  };
  if (await waitUntil(isWritten, INDEXED_TIMEOUT_MS, POLL_MS)) return written;
  throw new Error(`After ${INDEXED_TIMEOUT_MS / 1000} s ${written} of ${assets} assets are written.`);
}

const CATALOG = fromRoot('apps/catalog/dist/main.js');
const BASELINE = fromRoot('bench/dist/baselines/bulk-helper.js');
const GOAL = { atLeast: 0.9 } as const;

const report = z.object({ seconds: z.number().positive(), count: z.int() });

/** Compares indexing assets from the topic into a new generation with the client's bulk helper from memory. */
export const benchIndex: Bench = async (options, openStage) => {
  const stage = await openStage();
  const topic = stage.freshPrefix();
  const probe = new OpenSearchProbe(stage.engines.opensearchUrl);
  await using helper = new Worker(BASELINE);
  options.report(`index: publishing ${options.assets} assets`);
  await stage.makeTopics(topic);
  await stage.fillTopic(topic);
  let model: { readonly prefix: string; readonly index: string } | undefined;
  const ours = async () => {
    options.report(`index: ${options.assets} assets by the catalog`);
    const { prefix, ...indexed } = await indexByCatalog(stage, topic, probe, options);
    // The first one is kept: the baseline reads its documents and its mapping.
    if (model === undefined) model = { prefix, index: (await probe.shape(`${prefix}projects-*`)).name };
    else await stage.clear(prefix);
    return indexed;
  };
  const baseline = async () => {
    if (model === undefined) throw new Error('The catalog must be measured first.');
    options.report(`index: ${options.assets} assets by the bulk helper`);
    const prefix = stage.freshPrefix();
    const index = `${prefix}projects`;
    await probe.make(index, await probe.shape(model.index));
    const question = { node: stage.engines.opensearchUrl, documentsFrom: model.index, index };
    const meter = new CpuMeter(undefined, { indexer: helper.pid, OpenSearch: stage.pidOf('opensearch') });
    const { seconds, count, cpu } = await meter.during(() => helper.ask(question, report));
    if (count !== options.assets) throw new Error(`The bulk helper wrote ${count} documents.`);
    await stage.clear(prefix);
    return { perSecond: count / seconds, cpu };
  };
  try {
    await alternate({ ours, baseline }, 1);
    const found = await alternate({ ours, baseline }, options.rounds);
    const what = `index ${options.assets.toLocaleString('en-US')} assets from the topic`;
    const row = { bench: 'index', what, against: 'bulk helper from memory' } as const;
    const rate = rowOf({ ...row, unit: 'assets/s', goal: GOAL, ...valuesOf(found, 'perSecond') });
    const names = { indexer: 'the catalog or the bulk helper', OpenSearch: 'OpenSearch', Kafka: 'Kafka' };
    return { rows: [rate, ...cpuRows(row, names, found)], notes: NOTES };
  } finally {
    await stage.clear(topic);
    if (model !== undefined) await stage.clear(model.prefix);
  }
};

const NOTES = [
  'Index: from the first documents written until all of them can be searched. The baseline writes the same documents, as text in memory, into an index of the same mapping that refreshes only at the end. CPU is the processor time for an asset.',
];
