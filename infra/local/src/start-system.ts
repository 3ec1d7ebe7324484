import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINES, type EngineAddresses, type EngineName, engineParts } from './engines/engine-parts.js';
import type { FetchProgress } from './engines/fetch.js';
import { rotateLogs } from './log-rotation.js';
import { APPS, type AppName } from './parts/app.js';
import { checkPorts, freePorts, PORTS, type PortSetting, type Ports } from './ports.js';
import { takeLock } from './processes/lock.js';
import { sweepLeftovers } from './processes/sweep.js';
import type { PartEvent } from './supervise/part.js';
import { RunningParts } from './supervise/running-parts.js';
import type { SupervisedPart } from './supervise/supervised-part.js';
import { writeEnvironmentFile } from './system/environment-file.js';
import { keptSecrets, type Secrets } from './system/secrets.js';
import { type AppOptions, LIBRARY, loopback, systemParts } from './system/system-parts.js';

/** How to start a whole system. Several may run at once, each in its own folder. */
export interface StartSystemOptions {
  /** Its folder: data, logs, secrets. Kept between runs; one system at a time may use it. */
  readonly dir: string;
  /** The ports to listen on; free ones at random by default. */
  readonly ports?: Ports;
  /** Engines that run already; what is missing here is started. */
  readonly engines?: EngineAddresses;
  /** Before the names of topics and consumer groups, so that systems may share a Kafka. */
  readonly topicPrefix?: string;
  /** Before the names of indices, so that systems may share an OpenSearch. */
  readonly indexPrefix?: string;
  /** The apps to run and how; one of each by default. */
  readonly apps?: Readonly<Partial<Record<AppName, AppOptions>>>;
  /** A file of assets to publish the first time, or false for none; the checkout's library by default. */
  readonly library?: string | false;
  /** Secrets to use instead of those kept in the folder. */
  readonly secrets?: Partial<Secrets>;
  /** Load apps anew when their sources change. */
  readonly reload?: boolean;
  readonly tell?: (event: PartEvent) => void;
  readonly say?: (sentence: string) => void;
  readonly fetching?: (so: FetchProgress) => void;
  /** Breaks the start off: what was started is stopped in order, and `startSystem` rejects. */
  readonly signal?: AbortSignal;
}

/** Where everything of a system answers. */
export interface SystemAddresses {
  readonly gateway: string;
  readonly offsets: string;
  readonly catalog: string;
  readonly kafkaBrokers: string;
  readonly databaseUrl: string;
  readonly opensearchUrl: string;
}

/** A system that runs. */
export interface RunningSystem {
  readonly dir: string;
  readonly urls: SystemAddresses;
  /** What the commands of the checkout find in the folder's `environment` file: addresses, prefixes, secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** One engine or app (`kafka`, `offsets`, `offsets-2`), to be stopped, killed and started again. */
  part(name: string): SupervisedPart;
  /** Resolves with the reason when a part cannot be kept running. */
  readonly failed: Promise<Error>;
  /** Stops everything in order: the gateway, the other apps, the engines. */
  stop(): Promise<void>;
}

/** Takes the folder's lock, starts everything in order and resolves when all is ready. */
export async function startSystem(options: StartSystemOptions): Promise<RunningSystem> {
  mkdirSync(options.dir, { recursive: true });
  const ports = options.ports ?? (await freePorts());
  const giveBack = takeLock(join(options.dir, 'lock'), loopback(ports.GATEWAY_PORT));
  try {
    return await startLocked(options, ports, giveBack);
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function startLocked(options: StartSystemOptions, ports: Ports, giveBack: () => void): Promise<RunningSystem> {
  const { dir, tell = () => {}, say = () => {} } = options;
  const folders = { logDir: join(dir, 'logs'), pidDir: join(dir, 'run') };
  for (const name of await sweepLeftovers(folders.pidDir)) say(`ended ${name}, left behind by an earlier run`);
  await checkPorts(ports, portsUsed(options));
  const rotation = rotateLogs(folders.logDir);
  const { parts, urls, environment } = await listParts(options, ports);
  const running = new RunningParts(parts, { ...folders, tell });
  const stop = async () => {
    await running.stop();
    rotation.stop();
    giveBack();
  };
  signalOf(options).addEventListener('abort', stop, { once: true });
  try {
    signalOf(options).throwIfAborted();
    writeEnvironmentFile(dir, environment);
    await Promise.race([running.start(), running.failed.then((failure) => Promise.reject(failure))]);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signalOf(options).removeEventListener('abort', stop);
  }
  return { dir, urls, environment, part: (name) => running.part(name), failed: running.failed, stop };
}

async function listParts(options: StartSystemOptions, ports: Ports) {
  const { dir, engines = {}, topicPrefix = '', indexPrefix = '' } = options;
  const secrets = { ...keptSecrets(dir), ...options.secrets };
  const own = await engineParts({
    dir,
    ports,
    which: enginesToStart(options),
    database: 'carbon',
    databasePassword: secrets.POSTGRES_PASSWORD,
    say: options.say ?? (() => {}),
    fetch: { progress: options.fetching ?? (() => {}), signal: signalOf(options) },
  });
  const stores = allAddresses({ ...engines, ...own.addresses });
  const after = await systemParts({
    dir,
    ports,
    ...stores,
    kafkaName: engines.kafkaBrokers ?? 'own',
    topicPrefix,
    indexPrefix,
    secrets,
    apps: options.apps ?? {},
    library: options.library ?? LIBRARY,
    reload: options.reload ?? false,
  });
  const urls = {
    gateway: loopback(ports.GATEWAY_PORT),
    offsets: loopback(ports.OFFSETS_PORT),
    catalog: loopback(ports.CATALOG_PORT),
    ...stores,
  };
  const environment = environmentOf(urls, secrets, { TOPIC_PREFIX: topicPrefix, INDEX_PREFIX: indexPrefix });
  return { parts: [...own.parts, ...after], urls, environment };
}

function environmentOf(urls: SystemAddresses, secrets: Secrets, prefixes: Readonly<Record<string, string>>) {
  const { ID_SECRETS, IDEMPOTENCY_SECRETS, CURSOR_SECRETS } = secrets;
  return {
    KAFKA_BROKERS: urls.kafkaBrokers,
    DATABASE_URL: urls.databaseUrl,
    OPENSEARCH_URL: urls.opensearchUrl,
    GATEWAY_URL: urls.gateway,
    OFFSETS_URL: urls.offsets,
    CATALOG_URL: urls.catalog,
    ...prefixes,
    ID_SECRETS,
    IDEMPOTENCY_SECRETS,
    CURSOR_SECRETS,
  };
}

function signalOf({ signal }: StartSystemOptions): AbortSignal {
  return signal ?? new AbortController().signal;
}

const ADDRESS = { kafka: 'kafkaBrokers', opensearch: 'opensearchUrl', postgres: 'databaseUrl' } as const;

function enginesToStart({ engines = {} }: StartSystemOptions): readonly EngineName[] {
  return ENGINES.filter((engine) => engines[ADDRESS[engine]] === undefined);
}

function allAddresses(found: EngineAddresses): Required<EngineAddresses> {
  const { kafkaBrokers, databaseUrl, opensearchUrl } = found;
  if (!kafkaBrokers || !databaseUrl || !opensearchUrl) throw new Error('an engine is neither given nor started');
  return { kafkaBrokers, databaseUrl, opensearchUrl };
}

function portsUsed(options: StartSystemOptions): readonly PortSetting[] {
  const own: readonly string[] = enginesToStart(options);
  const apps: readonly string[] = APPS.filter((app) => options.apps?.[app]?.instances !== 0);
  const settings = Object.keys(PORTS) as PortSetting[];
  return settings.filter((setting) => [...own, ...apps].includes(PORTS[setting].of));
}
