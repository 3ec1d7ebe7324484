import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { fromRoot, Worker } from './processes.js';
import { rowOf } from './results.js';
import { type Bench, type BenchOptions, INDEXED_TIMEOUT_MS, type Stage } from './stage.js';
import { alternate } from './statistics.js';

const POLL_MS = 20;
/** A catalog that has caught up has nothing more to write. */
const AFTER_READY_MS = 5_000;

/** A library that the catalog has just built. */
export interface Built {
  readonly perSecond: number;
  /** The prefix of its indices. */
  readonly prefix: string;
}

/**
 * Starts a catalog without an index for a full topic, and measures from the first written documents until all are
 * searchable. (The time before, to connect and join the group, does not depend on the number of documents.)
 */
export async function indexByCatalog(
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
    const perSecond = await Promise.race([timeWrites(probe, `${prefix}projects*`, assets, either), short]);
    return { perSecond, prefix };
  } finally {
    over.abort();
    await short.catch(() => {});
    await starting.then((system) => system.stop());
  }
}

async function timeWrites(probe: OpenSearchProbe, index: string, assets: number, signal: AbortSignal): Promise<number> {
  const giveUp = performance.now() + INDEXED_TIMEOUT_MS;
  let first: { readonly at: number; readonly written: number } | undefined;
  for (;;) {
    signal.throwIfAborted();
    const written = await probe.written(index);
    const at = performance.now();
    if (written > 0) first ??= { at, written };
    if (first !== undefined && written >= assets) {
      const found = await probe.refreshed(index);
      if (found !== assets) throw new Error(`Only ${found} of ${assets} assets are searchable.`);
      return (assets - first.written) / ((performance.now() - first.at) / 1000);
    }
    if (at > giveUp)
      throw new Error(`After ${INDEXED_TIMEOUT_MS / 1000} s ${written} of ${assets} assets are written.`);
    await pause(POLL_MS);
  }
}

const indexing = z.object({
  _all: z.object({ primaries: z.object({ indexing: z.object({ index_total: z.int() }).optional() }) }),
});
const countResponse = z.object({ count: z.int() });
const indices = z.record(
  z.string(),
  z.object({ mappings: z.unknown(), settings: z.object({ index: z.object({ analysis: z.unknown() }) }) }),
);

/** The mapping and settings of an index, except for those that are tuned for a load. */
export interface Shape {
  readonly name: string;
  readonly mappings: unknown;
  readonly analysis: unknown;
}

/** Queries that the benchmark sends to OpenSearch besides the measured programs. */
export class OpenSearchProbe {
  constructor(private readonly url: string) {}

  /** Returns how many documents were written to these indices so far, searchable or not; 0 if there are none. */
  async written(index: string): Promise<number> {
    const stats = indexing.parse(await this.ask('GET', `/${index}/_stats/indexing`));
    return stats._all.primaries.indexing?.index_total ?? 0;
  }

  /** Makes all written documents searchable. @returns their number */
  async refreshed(index: string): Promise<number> {
    await this.ask('POST', `/${index}/_refresh`);
    return countResponse.parse(await this.ask('GET', `/${index}/_count`)).count;
  }

  /** Returns the one index of that name, which may contain a star. */
  async shape(index: string): Promise<Shape> {
    const found = Object.entries(indices.parse(await this.ask('GET', `/${index}`)));
    const [only] = found;
    if (only === undefined || found.length !== 1) throw new Error(`${index} is ${found.length} indices instead of one`);
    const [name, { mappings, settings }] = only;
    return { name, mappings, analysis: settings.index.analysis };
  }

  /** Creates an empty index of that shape, tuned for a load: it refreshes only at the end. */
  async make(index: string, { mappings, analysis }: Shape): Promise<void> {
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', analysis };
    await this.ask('PUT', `/${index}`, { settings, mappings });
  }

  private async ask(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<unknown> {
    const text =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await request(`${this.url}${path}`, { method, ...text });
    const found = await answer.body.text();
    if (answer.statusCode === 200) return JSON.parse(found);
    throw new Error(`OpenSearch, ${method} ${path}: ${answer.statusCode} ${found.slice(0, 500)}`);
  }
}

const BASELINE = fromRoot('bench/dist/baselines/bulk-helper.js');
const GOAL = { atLeast: 0.9 } as const;

const report = z.object({ seconds: z.number().positive(), documents: z.int() });

/** Compares indexing assets from the topic into a new generation with the client's bulk helper from memory. */
export const benchIndex: Bench = async (options, openStage) => {
  const stage = await openStage();
  const topic = stage.freshPrefix();
  const probe = new OpenSearchProbe(stage.engines.opensearchUrl);
  const helper = new Worker(BASELINE);
  options.report(`index: publishing ${options.assets} assets`);
  await stage.makeTopics(topic);
  await stage.fillTopic(topic);
  let model: { readonly prefix: string; readonly index: string } | undefined;
  const ours = async () => {
    options.report(`index: ${options.assets} assets by the catalog`);
    const { perSecond, prefix } = await indexByCatalog(stage, topic, probe, options);
    // The first one is kept: the baseline reads its documents and its mapping.
    if (model === undefined) model = { prefix, index: (await probe.shape(`${prefix}projects-*`)).name };
    else await stage.clear(prefix);
    return perSecond;
  };
  const baseline = async () => {
    if (model === undefined) throw new Error('The catalog must be measured first.');
    options.report(`index: ${options.assets} assets by the bulk helper`);
    const prefix = stage.freshPrefix();
    const index = `${prefix}projects`;
    await probe.make(index, await probe.shape(model.index));
    const question = { node: stage.engines.opensearchUrl, documentsFrom: model.index, index };
    const { seconds, documents } = await helper.ask(question, report);
    if (documents !== options.assets) throw new Error(`The bulk helper wrote ${documents} documents.`);
    await stage.clear(prefix);
    return documents / seconds;
  };
  try {
    await alternate({ ours, baseline }, 1);
    const found = await alternate({ ours, baseline }, options.rounds);
    const what = `index ${options.assets.toLocaleString('en-US')} assets from the topic`;
    const row = rowOf({
      bench: 'index',
      what,
      unit: 'assets/s',
      against: 'bulk helper from memory',
      goal: GOAL,
      ...found,
    });
    return { rows: [row], notes: NOTES };
  } finally {
    await helper.end();
    await stage.clear(topic);
    if (model !== undefined) await stage.clear(model.prefix);
  }
};

const NOTES = [
  'Index: from the first documents written until all of them can be searched. The baseline writes the same documents, as text in memory, into an index of the same mapping that refreshes only at the end.',
];
