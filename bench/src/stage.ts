import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { kafkaSettings, loadCliEnvironment, loadConfig, url } from '@carbon/config';
import {
  type EngineAddresses,
  type EngineName,
  type PartEvent,
  type RunningSystem,
  type StartSystemOptions,
  startEngines,
  startSystem,
  temporaryDir,
  withPostgres,
} from '@carbon/local';
import { createKafka, createTopics, withAdmin } from '@carbon/messaging';
import pg from 'pg';
import { request } from 'undici';
import { z } from 'zod';
import { writeLibrary } from './library.js';
import { fromRoot, runProgram } from './processes.js';
import type { Findings } from './results.js';

/** Runs one benchmark. @param stage starts the engines when it is first called; all benchmarks of a run share them */
export type Bench = (options: BenchOptions, stage: () => Promise<Stage>) => Promise<Findings>;

/** The options of a run. */
export interface BenchOptions {
  readonly rounds: number;
  /** The duration of one measurement of one variant, in ms. */
  readonly sliceMs: number;
  /** The number of assets that are searched, indexed or published. */
  readonly assets: number;
  /** The number of offsets in the larger of two stores. */
  readonly offsets: number;
  /** The number of requests in the backlog. */
  readonly backlog: number;
  /** Use the running engines. */
  readonly running: boolean;
  /** Receives the current step. */
  readonly report: (step: string) => void;
  /** Aborts the run. */
  readonly signal: AbortSignal;
}

const PRODUCE = fromRoot('bench/dist/baselines/bare-produce.js');

/** The maximum time in which a catalog indexes the run's assets. */
export const INDEXED_TIMEOUT_MS = 600_000;

/** The engines of a run, and what is created on them. Everything has a name of this run, and is removed after it. */
export interface Stage {
  readonly engines: Required<EngineAddresses>;
  /** The process of an engine that this run started; undefined for one that was running. */
  pidOf(engine: EngineName): number | undefined;
  /** A unique name for topics and for indices. */
  freshPrefix(): string;
  /** The path of a file with the run's assets, one a line; written on the first call. */
  libraryFile(): string;
  /** Creates the topics under a prefix. */
  makeTopics(topicPrefix: string): Promise<void>;
  /** Publishes every line of a file, by default of the run's assets, to the existing topic under a prefix. */
  fillTopic(topicPrefix: string, file?: string): Promise<void>;
  /** Starts apps on these engines; they stop with the stage, if not before. */
  start(options: Omit<StartSystemOptions, 'dir' | 'library'>): Promise<RunningSystem>;
  /** Removes topics and indices under a prefix. */
  clear(prefix: string): Promise<void>;
  close(): Promise<void>;
}

/** A quarter of the memory, as PostgreSQL's documentation advises for a server of its own. The default is 128 MB on any machine. */
const SHARED_BUFFERS = `shared_buffers=${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;

const startTunedEngines = (options: Parameters<typeof startEngines>[0]) =>
  startEngines({
    ...options,
    adapt: (part, command) =>
      part === 'postgres' ? { ...command, args: [...command.args, '-c', SHARED_BUFFERS] } : command,
  });

/** Starts the engines of a run, or finds the running ones. */
export async function openStage({ running, assets, report, signal }: BenchOptions): Promise<Stage> {
  const { dir, remove } = await temporaryDir();
  const onEvent = (event: PartEvent) => event.kind === 'ready' && report(`${event.part} is ready`);
  report(running ? 'starting the missing engines' : 'starting Kafka, OpenSearch and PostgreSQL');
  const started = await startTunedEngines({
    dir: join(dir, 'engines'),
    ...(running && { which: ['postgres'] as const }),
    onEvent,
    onFetchProgress: ({ files }) => report(`downloading Kafka and OpenSearch, only on the first start: ${files} files`),
    signal,
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const engines = { ...started.addresses, ...(running && runningEngines()) } as Required<EngineAddresses>;
  const systems = new Set<RunningSystem>();
  const prefixes = new Set<string>();
  let library: string | undefined;
  const libraryFile = () => {
    if (library !== undefined) return library;
    report(`making ${assets} assets`);
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
    pidOf: (engine) => (running && engine !== 'postgres' ? undefined : started.part(engine).pid),
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
      const system = await startSystem({ engines, ...options, dir: home, library: false, onEvent, signal });
      systems.add(system);
      return { ...system, stop: () => system.stop().finally(() => systems.delete(system)) };
    },
    close: async () => {
      await Promise.all([...systems].map((system) => system.stop()));
      // Engines that this run started are removed with their data.
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
  await withAdmin(createKafka({ brokers: brokers.split(','), clientId: 'bench' }), async (admin) => {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  });
}

const settings = z.object({
  KAFKA_BROKERS: kafkaSettings.KAFKA_BROKERS,
  OPENSEARCH_URL: url(['http', 'https'], {
    description: 'Where OpenSearch answers.',
    fallback: 'http://127.0.0.1:29200',
    secret: true,
  }),
});

/**
 * The Kafka and the OpenSearch of the environment, else of the system that runs in this checkout, else the defaults.
 */
export function runningEngines(): { readonly kafkaBrokers: string; readonly opensearchUrl: string } {
  const { KAFKA_BROKERS, OPENSEARCH_URL } = loadConfig(settings, loadCliEnvironment());
  return { kafkaBrokers: KAFKA_BROKERS.join(','), opensearchUrl: OPENSEARCH_URL };
}

/** The headers with which a gateway calls the apps of a running system: its secret, and the account. */
export function internalHeaders({ environment }: RunningSystem, account: string): Record<string, string> {
  const [secret = ''] = (environment.INTERNAL_SECRETS ?? '').split(',');
  return { 'x-internal-secret': secret, 'x-account': account };
}

const MIGRATE = fromRoot('apps/offsets/dist/persistence/migrate.js');

/** An unused database of the offsets service, and a connection to query it. */
export interface FreshDatabase {
  readonly url: string;
  /** Returns the one row of a query. */
  one<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row>;
  /** Runs a statement. */
  run(sql: string, parameters?: readonly unknown[]): Promise<void>;
  /** Drops it, even with open sessions. */
  drop(): Promise<void>;
}

/** Creates a database on a server, with the tables of the offsets service. */
export async function freshDatabase(server: string, signal: AbortSignal): Promise<FreshDatabase> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await withPostgres(server, (sql) => sql.query(`CREATE DATABASE ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  // Without a listener, an error on the connection would end the run; its queries reject anyway.
  client.on('error', () => {});
  const drop = async () => {
    await client.end();
    await withPostgres(server, (sql) => sql.query(`DROP DATABASE ${name} WITH (FORCE)`));
  };
  try {
    await runProgram(MIGRATE, [], { DATABASE_URL: url.href }, signal);
    await client.connect();
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    url: url.href,
    one: (sql, parameters) => firstRow(client, sql, parameters),
    run: async (sql, parameters = []) => void (await client.query(sql, [...parameters])),
    drop,
  };
}

const CARBON = fromRoot('tools/carbon/dist/carbon.js');

/** Audits the ledger of a database. @throws Error with the findings */
export async function auditLedger({ url }: FreshDatabase, { report, signal }: BenchOptions): Promise<void> {
  report('auditing the ledger');
  await runProgram(CARBON, ['ledger', 'audit'], { DATABASE_URL: url }, signal);
}

async function firstRow<Row extends object>(client: pg.Client, sql: string, parameters?: readonly unknown[]) {
  const { rows } = await client.query<Row>(sql, parameters === undefined ? [] : [...parameters]);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no row: ${sql}`);
  return row;
}
