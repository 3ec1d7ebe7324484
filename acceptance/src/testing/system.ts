import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { programOf, type Ran, ROOT, run } from '../checkout.js';
import { DATABASE_URL, ENVIRONMENT, TEST_RUN } from '../environment.js';
import { Client, eventually } from './client.js';
import { Topics } from './topics.js';

/** A customer's reference in test data: no log may contain it, and all are searched when the tests end. */
export const CANARY = 'canary-3e1f9b';

const PORTS = [
  'GATEWAY',
  'OFFSETS',
  'CATALOG',
  'KAFKA',
  'KAFKA_CONTROLLER',
  'OPENSEARCH',
  'OPENSEARCH_TRANSPORT',
  'POSTGRES',
];
const OWN_ENGINES = { KAFKA_BROKERS: undefined, OPENSEARCH_URL: undefined, DATABASE_URL: undefined };
const READY = 'Ctrl-C stops everything.';
const START_MS = 240_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** A part of the system: an app or an engine. */
export type Part = 'gateway' | 'offsets' | 'catalog' | 'kafka' | 'postgres' | 'opensearch';

/** The system of `npm start`, as an operator uses it. */
export class System {
  readonly dir = mkdtempSync(join(tmpdir(), 'carbon-acceptance-'));
  private readonly name = `test-${TEST_RUN}-${randomBytes(4).toString('hex')}`;
  private settings: Environment = {};
  private launcher: ChildProcess | undefined;
  private readonly others: ChildProcess[] = [];

  private constructor(private readonly hasOwnEngines: boolean) {
    chmodSync(this.dir, 0o711);
  }

  /** Starts a system on the engines of the test run, or on its own engines, and waits until it is ready. */
  static async start(settings: Environment = {}, { ownEngines = false } = {}): Promise<System> {
    const system = new System(ownEngines);
    const ports = await Promise.all(PORTS.map(async (name) => [`${name}_PORT`, String(await freePort())]));
    const names = { TOPIC_PREFIX: `${system.name}-`, INDEX_PREFIX: `${system.name}-` };
    const database = new URL(DATABASE_URL ?? 'postgresql://unknown');
    database.pathname = `/${system.name}`;
    const engines = ownEngines ? OWN_ENGINES : { ...names, DATABASE_URL: database.href };
    if (!ownEngines) await query(DATABASE_URL, `CREATE DATABASE "${system.name}"`);
    system.settings = { ...ENVIRONMENT, ...Object.fromEntries(ports), ...engines, ...settings };
    await system.launch();
    return system;
  }

  /** Stops everything and starts it again on the same data. */
  async restart(settings: Environment): Promise<void> {
    await this.end();
    this.settings = { ...this.settings, ...settings };
    await this.launch();
  }

  private async launch(): Promise<void> {
    const program = [...programOf('start'), '--dir', this.dir];
    const launcher = spawn(execPath, program, { cwd: ROOT, env: this.settings, stdio: ['ignore', 'pipe', 'pipe'] });
    this.launcher = launcher;
    let output = '';
    for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (text) => (output += text));
    const ready = eventually(() => {
      if (!output.includes(READY) && launcher.exitCode === null) throw new Error(`The system is not ready: ${output}`);
    }, START_MS);
    await ready.catch(async (error) => await this.end().then(() => Promise.reject(error)));
    if (launcher.exitCode !== null) throw new Error(`The system ended: ${output}`);
  }

  /** The settings that the system writes for the commands of the checkout. */
  get environment(): Record<string, string> {
    return parseEnv(readFileSync(join(this.dir, 'environment'), 'utf8')) as Record<string, string>;
  }

  get client(): Client {
    return new Client(this.environment.GATEWAY_URL ?? '');
  }

  get topics(): Topics {
    return new Topics(this.environment.KAFKA_BROKERS ?? '', this.environment.TOPIC_PREFIX ?? '');
  }

  /** Runs a root script with the system's settings; does not reject when the exit code is not 0. */
  command(script: string, ...args: string[]): Promise<Ran> {
    return run([...programOf(script), ...args], { ...ENVIRONMENT, ...this.environment, NO_COLOR: '1' });
  }

  /** Runs a root script that must succeed, and returns its output. */
  async output(script: string, ...args: string[]): Promise<string> {
    const { code, out, err } = await this.command(script, ...args);
    if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}: ${out}${err}`);
    return out;
  }

  /** Returns the rows of a statement in the system's database. */
  sql<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]> {
    return query<Row>(this.environment.DATABASE_URL, statement, values);
  }

  /** Starts another gateway with an empty cache. */
  async anotherGateway(): Promise<Client> {
    const port = await freePort();
    const env = { ...ENVIRONMENT, ...this.environment, HOST: '127.0.0.1', PORT: String(port) };
    this.others.push(spawn(execPath, ['apps/gateway/dist/main.js'], { cwd: ROOT, env, stdio: 'ignore' }));
    const client = new Client(`http://127.0.0.1:${port}`);
    await client.ask('/health/ready');
    return client;
  }

  /** Sends a signal to the processes of a part; the launcher restarts a part that exits. */
  signal(part: Part, signal: NodeJS.Signals): void {
    const { child } = JSON.parse(readFileSync(join(this.dir, 'run', `${part}.json`), 'utf8'));
    process.kill(-child.pid, signal);
  }

  /** Sends a signal that ends the processes of parts, and waits until the system has started them again. */
  async killAndWait(signal: NodeJS.Signals, ...parts: Part[]): Promise<void> {
    const before = parts.map((part) => this.readProcessFile(part));
    for (const part of parts) this.signal(part, signal);
    await eventually(() => {
      const after = parts.map((part) => this.readProcessFile(part));
      if (after.some((note, at) => note === undefined || note === before[at])) throw new Error(`${parts} are not back`);
    });
    await this.ready();
  }

  /** Runs `work` while parts are down: the launcher is suspended, so that it restarts nothing until then. */
  async without(parts: readonly Part[], work: () => Promise<void>): Promise<void> {
    this.launcher?.kill('SIGSTOP');
    try {
      for (const part of parts) this.signal(part, 'SIGKILL');
      await work();
    } finally {
      this.launcher?.kill('SIGCONT');
    }
    await eventually(() => {
      if (parts.some((part) => this.readProcessFile(part) === undefined)) throw new Error(`${parts} are not back`);
    });
    await this.ready();
  }

  /** Waits until every app is ready. */
  async ready(): Promise<void> {
    const { GATEWAY_URL = '', OFFSETS_URL = '', CATALOG_URL = '' } = this.environment;
    await eventually(async () => {
      const answers = [GATEWAY_URL, OFFSETS_URL, CATALOG_URL].map((url) =>
        new Client(url).requestOnce('/health/ready'),
      );
      const states = (await Promise.all(answers)).map(({ status, body }) => `${status} ${JSON.stringify(body)}`);
      if (states.some((state) => !state.startsWith('200') || state.includes('down')))
        throw new Error(states.join('\n'));
    }, START_MS);
  }

  private readProcessFile(part: Part): string | undefined {
    const file = join(this.dir, 'run', `${part}.json`);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  /** Rejects unless every gram is accounted for and every hash chain of the ledger is valid. */
  async audit(): Promise<void> {
    for (const check of ['audit', 'verify']) await this.output('ledger', check);
  }

  /** Counts the dead letters by topic. */
  async deadLetters(): Promise<Record<string, number>> {
    const topics = ['offset.requested', 'offset.completed', 'offset.failed', 'asset.published'];
    const counts = await Promise.all(
      topics.map(async (topic) => [topic, (await this.topics.read(`${topic}.dead-letter`)).length] as const),
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  /** Audits the ledger, stops everything, and rejects if the audit fails. */
  async stop(): Promise<void> {
    const audited = await this.audit().then(
      () => undefined,
      (error: unknown) => error,
    );
    await this.end();
    if (!this.hasOwnEngines) await query(DATABASE_URL, `DROP DATABASE IF EXISTS "${this.name}" WITH (FORCE)`);
    keepLogs(join(this.dir, 'logs'), this.name);
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
    if (audited !== undefined) throw audited;
  }

  private async end(): Promise<void> {
    for (const child of [...this.others.splice(0), this.launcher]) {
      if (child === undefined || child.exitCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  }
}

async function query<Row extends pg.QueryResultRow>(url = '', statement: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(statement, values).finally(() => client.end())).rows;
}

/** Returns a free port below the ephemeral port range. */
async function freePort(): Promise<number> {
  const port = randomInt(12_000, 32_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise((resolve) => (isFree ? server.close(resolve) : resolve(undefined)));
  return isFree ? port : await freePort();
}

/** Keeps logs where the test run searches them for forbidden strings. */
function keepLogs(from: string, name: string): void {
  const { TEST_LOGS } = ENVIRONMENT;
  if (TEST_LOGS === undefined || !existsSync(from)) return;
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(TEST_LOGS, `${name}-${file}`));
}
