import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCliEnvironment, loadConfig, provideEnvironment } from '@carbon/config';
import {
  ENGINES,
  type EngineName,
  type RunningEngines,
  startEngines,
  type TemporaryDir,
  temporaryDir,
} from '@carbon/local';
import { Kafka, logLevel } from 'kafkajs';
import { z } from 'zod';
import { dropDatabases } from './fresh-database.js';
import { copyLogs, makeLogFolder, removeCleanLogs } from './run-logs.js';
import { engineSettings, runPrefix, testEngines, testSettings } from './test-engines.js';

/** The setting that names an engine to use instead of a new one. */
const SETTING = { kafka: 'KAFKA_BROKERS', opensearch: 'OPENSEARCH_URL', postgres: 'DATABASE_URL' } as const;

interface Run {
  readonly name: string;
  readonly given: readonly EngineName[];
  /** The folder of its logs. */
  readonly logs: string;
  /** The compile cache of node, so that the hundreds of apps and commands of a run start faster. */
  readonly compiled: string;
  readonly own?: { readonly dir: TemporaryDir; readonly engines: RunningEngines };
}

let run: Run | undefined;

/**
 * Jest's global setup: starts the engines that the environment does not name (or, with TEST_ENGINES=running, finds
 * those of the system that `npm start` runs), and passes their addresses to the workers. Two projects may call it; the
 * second call does nothing.
 */
export async function startTestEngines(): Promise<void> {
  if (run !== undefined) return;
  const name = randomBytes(3).toString('hex');
  if (testSettings().TEST_ENGINES === 'running') provideEnvironment(await runningEngines());
  const settings = testSettings();
  const given = ENGINES.filter((engine) => settings[SETTING[engine]] !== undefined);
  const which = ENGINES.filter((engine) => !given.includes(engine));
  const logs = makeLogFolder();
  const compiled = mkdtempSync(join(tmpdir(), 'carbon-test-compiled-'));
  // A run starts dozens of catalogs, and searches each a few times only.
  const SEARCH_WARM_UP_MS = '0';
  provideEnvironment({ TEST_RUN: name, TEST_LOGS: logs, NODE_COMPILE_CACHE: compiled, SEARCH_WARM_UP_MS });
  run = { name, given, logs, compiled, ...(which.length > 0 && { own: await startOwn(which) }) };
}

async function startOwn(which: readonly EngineName[]): Promise<Required<Run>['own']> {
  process.stderr.write(`Starting ${which.join(', ')} for the tests ...\n`);
  const dir = await temporaryDir();
  const engines = await startEngines({ dir: dir.dir, which, shortLived: true });
  const { kafkaBrokers, opensearchUrl, databaseUrl } = engines.addresses;
  provideEnvironment({
    ...(kafkaBrokers !== undefined && { KAFKA_BROKERS: kafkaBrokers }),
    ...(opensearchUrl !== undefined && { OPENSEARCH_URL: opensearchUrl }),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  return { dir, engines };
}

/**
 * Jest's global teardown: stops the engines it started, cleans up on given ones, and fails the run if a log contains a
 * forbidden text.
 */
export async function stopTestEngines(): Promise<void> {
  const ending = run;
  run = undefined;
  if (ending === undefined) return;
  await removeLeftovers(ending.name, ending.given);
  await ending.own?.engines.stop();
  if (ending.own !== undefined) copyLogs(join(ending.own.dir.dir, 'logs'));
  ending.own?.dir.remove();
  rmSync(ending.compiled, { recursive: true, force: true });
  removeCleanLogs(ending.logs);
}

const HINT = 'start the system with npm start and wait until it is ready, or leave TEST_ENGINES unset';
const CONNECT_MS = 2_000;

/** The addresses of a running system's engines, by the settings of tests. */
interface EngineEnvironment extends Readonly<Record<string, string>> {
  readonly KAFKA_BROKERS: string;
  readonly OPENSEARCH_URL: string;
  readonly DATABASE_URL: string;
}

/**
 * Returns the engines of the system that `npm start` runs in this checkout; the environment takes precedence. Throws if
 * there is none, or if it has ended, because its files outlive it.
 */
async function runningEngines(): Promise<EngineEnvironment> {
  const { KAFKA_BROKERS, OPENSEARCH_URL, DATABASE_URL } = loadConfig(engineSettings, loadCliEnvironment());
  if (KAFKA_BROKERS === undefined || OPENSEARCH_URL === undefined || DATABASE_URL === undefined) {
    throw new Error(`TEST_ENGINES=running, and no system has been started in this checkout: ${HINT}`);
  }
  const addresses = [...KAFKA_BROKERS.split(',').map((broker) => `kafka://${broker}`), OPENSEARCH_URL, DATABASE_URL];
  await Promise.all(addresses.map((address) => mustListen(new URL(address))));
  return { KAFKA_BROKERS, OPENSEARCH_URL, DATABASE_URL };
}

/** The port of an address without one. */
const USUAL_PORT: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const POSTGRES_PORT = 5432;

function mustListen({ protocol, hostname, port }: URL): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = Number(port) || (USUAL_PORT[protocol] ?? POSTGRES_PORT);
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(`TEST_ENGINES=running, and nothing answers at ${host}:${at}: ${HINT}`));
    const socket = connect({ host, port: at });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('too late')));
    socket.on('error', refuse);
    socket.on('connect', () => resolve(void socket.destroy()));
  });
}

const indicesSchema = z.array(z.object({ index: z.string() }));

/** Removes what the tests created on engines that outlive the run: databases, topics, groups, indices. */
async function removeLeftovers(run: string, engines: readonly EngineName[]): Promise<void> {
  const prefix = runPrefix(run);
  if (engines.includes('postgres')) await dropDatabases(prefix);
  if (engines.includes('kafka')) await deleteFromKafka(prefix);
  if (engines.includes('opensearch')) await deleteIndices(prefix);
}

async function deleteFromKafka(prefix: string): Promise<void> {
  const brokers = testEngines().kafkaBrokers.split(',');
  const admin = new Kafka({ clientId: 'test-run', brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const { groups } = await admin.listGroups();
    const groupIds = groups.map((group) => group.groupId).filter((id) => id.startsWith(prefix));
    // A group whose member was killed is not empty until its session has expired; Kafka removes it later.
    if (groupIds.length > 0) await admin.deleteGroups(groupIds).catch(() => {});
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}

async function deleteIndices(prefix: string): Promise<void> {
  const { opensearchUrl } = testEngines();
  const within = { signal: AbortSignal.timeout(30_000) };
  const answer = await fetch(`${opensearchUrl}/_cat/indices/${prefix}*?format=json&h=index`, within);
  for (const { index } of indicesSchema.parse(await answer.json())) {
    await fetch(`${opensearchUrl}/${index}`, { ...within, method: 'DELETE' });
  }
}
