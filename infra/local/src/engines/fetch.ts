import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENGINES_DIR } from '../checkout.js';
import { withLock } from '../processes/lock.js';

const POM = join(dirname(ENGINES_DIR), 'pom.xml');
const STAMP = join(ENGINES_DIR, 'fetched');
const LOG = join(ENGINES_DIR, 'fetch.log');
const MAVEN_WITHIN_MS = 10 * 60_000;
const OTHER_FETCHES_WITHIN_MS = 11 * 60_000;

/** Where the Java engines lie. */
export interface JavaEngines {
  readonly kafkaLibs: string;
  readonly opensearchHome: string;
}

/** How far Maven has come. */
export interface FetchProgress {
  readonly files: number;
  readonly bytes: number;
}

/** The engines could not be fetched; the message says why and what to do. */
export class NotFetched extends Error {
  override readonly name = 'NotFetched';
}

/** The Java engines as `pom.xml` names them, fetched by Maven unless exactly these are here already. */
export async function fetchEngines(progress: (so: FetchProgress) => void = () => {}): Promise<JavaEngines> {
  const wanted = createHash('sha256').update(readFileSync(POM)).digest('hex');
  if (stamp() !== wanted) {
    mkdirSync(ENGINES_DIR, { recursive: true });
    await withLock(join(ENGINES_DIR, 'fetch.lock'), OTHER_FETCHES_WITHIN_MS, async () => {
      if (stamp() !== wanted) await fetchAnew(wanted, progress);
    });
  }
  return { kafkaLibs: join(folderOf('kafka'), 'libs'), opensearchHome: folderOf('opensearch') };
}

async function fetchAnew(wanted: string, progress: (so: FetchProgress) => void): Promise<void> {
  const incoming = join(ENGINES_DIR, 'incoming');
  rmSync(incoming, { recursive: true, force: true });
  await maven(incoming, progress);
  rmSync(STAMP, { force: true });
  for (const engine of ['kafka-', 'opensearch-']) {
    for (const old of readdirSync(ENGINES_DIR).filter((name) => name.startsWith(engine))) {
      rmSync(join(ENGINES_DIR, old), { recursive: true });
    }
    for (const fresh of readdirSync(incoming).filter((name) => name.startsWith(engine))) {
      renameSync(join(incoming, fresh), join(ENGINES_DIR, fresh));
    }
  }
  rmSync(incoming, { recursive: true });
  writeFileSync(STAMP, wanted);
}

async function maven(into: string, progress: (so: FetchProgress) => void): Promise<void> {
  const args = ['-B', '-f', POM, `-Dengines.dir=${into}`, 'package'];
  const child = spawn('mvn', args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: MAVEN_WITHIN_MS });
  const log = createWriteStream(LOG);
  const faults: string[] = [];
  const count = counted(progress);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      if (line.startsWith('[ERROR]')) faults.push(line);
      count(line);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => reject(new NotFetched(notStarted(error))));
    child.on('close', resolve);
  }).finally(() => log.end());
  if (code !== 0) throw new NotFetched(failed(code, faults));
}

function counted(progress: (so: FetchProgress) => void): (line: string) => void {
  let so: FetchProgress = { files: 0, bytes: 0 };
  return (line) => {
    const bytes = downloadedBytes(line);
    if (bytes === undefined) return;
    so = { files: so.files + 1, bytes: so.bytes + bytes };
    progress(so);
  };
}

/** Maven says `Downloaded from central: <address> (7.9 MB at 2.3 MB/s)` for each file. */
function downloadedBytes(line: string): number | undefined {
  const found = /Downloaded from .*\((\d+(?:\.\d+)?) ([kMG]?)B at /.exec(line);
  if (found === null) return undefined;
  const unit =
    new Map([
      ['k', 1e3],
      ['M', 1e6],
      ['G', 1e9],
    ]).get(found[2] ?? '') ?? 1;
  return Number(found[1]) * unit;
}

function notStarted(error: Error): string {
  return `Maven (mvn) fetches Kafka and OpenSearch the first time, and could not be started: ${error.message}. Install Maven 3.8 or newer with a JDK 17 or newer, or let KAFKA_BROKERS and OPENSEARCH_URL name engines that run already.`;
}

function failed(code: number | null, faults: readonly string[]): string {
  const how = code === null ? `did not end within ${MAVEN_WITHIN_MS / 60_000} minutes` : `exited with code ${code}`;
  const why = faults.slice(0, 5).map((line) => `  | ${line}`);
  return [`Maven ${how} while it fetched Kafka and OpenSearch (its whole log: ${LOG}).`, ...why, RETRY].join('\n');
}

const RETRY =
  'Is the network there, and the proxy set in ~/.m2/settings.xml if you need one? What came is kept; try again.';

function stamp(): string | undefined {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined;
}

function folderOf(engine: string): string {
  const name = readdirSync(ENGINES_DIR).find((candidate) => candidate.startsWith(`${engine}-`));
  if (name === undefined) throw new NotFetched(`${ENGINES_DIR} holds no ${engine}: remove that folder and try again`);
  return join(ENGINES_DIR, name);
}
