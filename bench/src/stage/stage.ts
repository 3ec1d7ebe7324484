import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type EngineAddresses,
  type PartEvent,
  type RunningSystem,
  type StartSystemOptions,
  startEngines,
  startSystem,
  temporaryDir,
} from '@carbon/local';
import { createKafka, createTopics } from '@carbon/messaging';
import { request } from 'undici';
import type { BenchOptions } from '../bench-options.js';
import { writeLibrary } from '../library/library-file.js';
import { runProgram } from '../processes/run-program.js';
import { fromRoot } from './checkout.js';
import { runningEngines } from './running-engines.js';

const PRODUCE = fromRoot('bench/dist/baselines/bare-produce.js');

/** How long a catalog may take to index the run's assets. */
export const INDEXED_WITHIN_MS = 600_000;

/** Engines for a run, and what is put upon them. All of it is under names of this run, and is gone after it. */
export interface Stage {
  readonly engines: Required<EngineAddresses>;
  /** A name that nothing on these engines has yet: for topics and for indices. */
  freshPrefix(): string;
  /** A file with the run's assets, one a line; written when it is first asked for. */
  libraryFile(): string;
  /** Makes the topics under a prefix. */
  makeTopics(topicPrefix: string): Promise<void>;
  /** Puts every line of a file, that of the run's assets unless told, on the topic under a prefix, whose topics are there. */
  fillTopic(topicPrefix: string, file?: string): Promise<void>;
  /** Starts apps on these engines; they stop with the stage, if not before. */
  start(options: Omit<StartSystemOptions, 'dir' | 'library'>): Promise<RunningSystem>;
  /** Removes topics and indices under a prefix. */
  clear(prefix: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the engines of a run, or finds those that run already. */
export async function openStage({ running, assets, tell, signal }: BenchOptions): Promise<Stage> {
  const { dir, remove } = await temporaryDir();
  const told = (event: PartEvent) => event.kind === 'ready' && tell(`${event.part} is ready`);
  tell(running ? 'starting what is not running' : 'starting Kafka, OpenSearch and PostgreSQL');
  const started = await startEngines({
    dir: join(dir, 'engines'),
    ...(running && { which: ['postgres'] as const }),
    tell: told,
    fetching: ({ files }) => tell(`fetching Kafka and OpenSearch, only this once: ${files} files`),
  });
  const engines = { ...started.addresses, ...(running && runningEngines()) } as Required<EngineAddresses>;
  const systems = new Set<RunningSystem>();
  const prefixes = new Set<string>();
  let library: string | undefined;
  const libraryFile = () => {
    if (library !== undefined) return library;
    tell(`making ${assets} assets`);
    library = join(dir, 'assets.ndjson');
    writeLibrary(library, assets);
    return library;
  };
  const clear = async (prefix: string) => {
    await removeIndices(engines.opensearchUrl, prefix);
    await removeTopics(engines.kafkaBrokers, prefix);
    prefixes.delete(prefix);
  };
  return {
    engines,
    libraryFile,
    clear,
    freshPrefix: () => {
      const prefix = `bench-${randomBytes(6).toString('hex')}-`;
      prefixes.add(prefix);
      return prefix;
    },
    makeTopics: async (topicPrefix) => {
      await createTopics(createKafka({ brokers: engines.kafkaBrokers.split(','), clientId: 'bench', topicPrefix }));
    },
    fillTopic: async (topicPrefix, file = libraryFile()) => {
      const topic = `${topicPrefix}asset.published`;
      await runProgram(PRODUCE, [engines.kafkaBrokers, topic, file], {}, signal);
    },
    start: async (options) => {
      const home = join(dir, `system-${randomBytes(4).toString('hex')}`);
      const system = await startSystem({ engines, ...options, dir: home, library: false, tell: told, signal });
      systems.add(system);
      return { ...system, stop: () => system.stop().finally(() => systems.delete(system)) };
    },
    close: async () => {
      await Promise.all([...systems].map((system) => system.stop()));
      // Engines of our own are removed with all they hold.
      if (running) for (const prefix of prefixes) await clear(prefix);
      await started.stop();
      remove();
    },
  };
}

async function removeIndices(opensearchUrl: string, prefix: string): Promise<void> {
  const { body, statusCode } = await request(`${opensearchUrl}/${prefix}*`, { method: 'DELETE' });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`OpenSearch does not remove ${prefix}*: ${statusCode} ${text}`);
}

async function removeTopics(brokers: string, prefix: string): Promise<void> {
  const admin = createKafka({ brokers: brokers.split(','), clientId: 'bench' }).client.admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}
