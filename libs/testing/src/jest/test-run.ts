import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideEnvironment } from '@carbon/config';
import {
  ENGINES,
  type EngineName,
  type RunningEngines,
  startEngines,
  type TemporaryDir,
  temporaryDir,
} from '@carbon/local';
import { keepLogs, makeLogFolder, searchLogs } from '../logs/run-logs.js';
import { testSettings } from '../test-settings.js';
import { removeLeftovers } from './remove-leftovers.js';
import { runningEngines } from './running-engines.js';

/** The setting that names an engine to use instead of a new one. */
const SETTING = { kafka: 'KAFKA_BROKERS', opensearch: 'OPENSEARCH_URL', postgres: 'DATABASE_URL' } as const;

interface Run {
  readonly name: string;
  readonly given: readonly EngineName[];
  /** Where its logs are. */
  readonly logs: string;
  /** Where node keeps what it has compiled, so that the hundreds of apps and commands of a run start with less work. */
  readonly compiled: string;
  readonly own?: { readonly dir: TemporaryDir; readonly engines: RunningEngines };
}

let run: Run | undefined;

/**
 * Jest's global setup: starts the engines that the environment does not name (or, with TEST_ENGINES=running, finds those
 * of the system that `npm start` runs), and tells the workers where they are.
 * Two projects may ask for it; the second asks in vain.
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
  provideEnvironment({ TEST_RUN: name, TEST_LOGS: logs, NODE_COMPILE_CACHE: compiled });
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
 * Jest's global teardown: stops the engines it started, leaves given ones as they were found, and fails the run when a log
 * holds what none may.
 */
export async function stopTestEngines(): Promise<void> {
  const ending = run;
  run = undefined;
  if (ending === undefined) return;
  await removeLeftovers(ending.name, ending.given);
  await ending.own?.engines.stop();
  if (ending.own !== undefined) keepLogs(join(ending.own.dir.dir, 'logs'));
  ending.own?.dir.remove();
  rmSync(ending.compiled, { recursive: true, force: true });
  searchLogs(ending.logs);
}
