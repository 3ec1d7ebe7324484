import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { inheritedEnvironment, loadConfig } from '@carbon/config';
import pg from 'pg';
import { type TemporaryDir, temporaryDir } from './checkout.js';
import { freePorts, type Ports } from './ports.js';
import { identityOf, waitUntil } from './processes/pids.js';
import { launcherSettings } from './settings.js';

// The launcher as a separate process, like for a new user, with the engines of the test run.
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
// The name begins like the test run's, so that everything under it is removed with the run's other data.
const name = `test-${inheritedEnvironment().TEST_RUN}-launcher-${randomBytes(4).toString('hex')}`;
const { DATABASE_URL = '' } = loadConfig(launcherSettings);
const started: Launcher[] = [];
let folder: TemporaryDir;
let ports: Ports;

interface Launcher {
  readonly process: ChildProcess;
  readonly exit: Promise<number | null>;
  output(): string;
}

function launch(command: 'start' | 'reset', more: Readonly<Record<string, string>> = {}): Launcher {
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  const own = { DATABASE_URL: url.href, TOPIC_PREFIX: `${name}-`, INDEX_PREFIX: `${name}-` };
  const settings = Object.entries(ports).map(([setting, port]) => [setting, String(port)]);
  const env = { ...inheritedEnvironment(), ...own, ...Object.fromEntries(settings), ...more };
  const args = [CLI, command, '--dir', folder.dir];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  const launcher = { process: child, exit, output: () => output };
  started.push(launcher);
  return launcher;
}

async function waitForOutput(launcher: Launcher, text: string, timeoutMs = 120_000): Promise<void> {
  const enough = () => launcher.output().includes(text) || launcher.process.exitCode !== null;
  await waitUntil(enough, timeoutMs);
  expect(launcher.output()).toContain(text);
}

/** Returns every process of the running system, including guards, from its pid files. */
function pids(): number[] {
  const notes = readdirSync(join(folder.dir, 'run')).filter((file) => file.endsWith('.json'));
  return notes.flatMap((file) => {
    const { guard, child } = JSON.parse(readFileSync(join(folder.dir, 'run', file), 'utf8'));
    return [guard.pid, child.pid];
  });
}

const allGone = (those: readonly number[]) => those.every((pid) => identityOf(pid) === undefined);

async function admin(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

beforeAll(async () => {
  [folder, ports] = await Promise.all([temporaryDir(), freePorts()]);
  await admin(`CREATE DATABASE "${name}"`);
});

afterAll(async () => {
  for (const { process: child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ exit }) => exit));
  await admin(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  folder.remove();
});

describe('the launcher', () => {
  let launcher: Launcher;

  it('starts the system and prints its address, examples to try, and the folders of logs and data', async () => {
    launcher = launch('start');
    await waitForOutput(launcher, 'Ctrl-C stops everything.');
    expect(launcher.output()).toMatch(new RegExp(`^Ready: http://localhost:${ports.GATEWAY_PORT}$`, 'm'));
    expect(launcher.output()).toContain(`http://localhost:${ports.GATEWAY_PORT}/docs\n`);
    expect(launcher.output()).toContain('\nOpen: no API key is required (docs/keys.md).\n');
    expect(launcher.output().match(/^ {2}curl /gm)).toHaveLength(3);
    expect(launcher.output()).toContain(join(folder.dir, 'logs'));
    expect(launcher.output()).toContain(join(folder.dir, 'data'));
    const environment = readFileSync(join(folder.dir, 'environment'), 'utf8');
    expect(environment).toContain(`GATEWAY_URL=http://127.0.0.1:${ports.GATEWAY_PORT}\n`);
    expect(environment).not.toContain('API_KEYS_FILE');
  });

  it('prints examples that work', async () => {
    const tries = launcher.output().match(/^ {2}curl .*$/gm) ?? [];
    const [posted = '', listed = '', pools = ''] = await Promise.all(tries.map((line) => outputOf(line)));
    expect(posted).toMatch(
      /^HTTP\/1\.1 202[\s\S]*\{"message":"Offset event with ID: off_\w{26} queued for processing\."\}$/,
    );
    expect(Array.isArray(JSON.parse(listed))).toBe(true);
    expect(pools.match(/"ticker":"\w+"/g)?.sort()).toEqual(['"ticker":"BCT"', '"ticker":"NCT"']);
  });

  it('refuses a second start and a reset while it runs, and prints the process id', async () => {
    const [second, reset] = [launch('start'), launch('reset')];
    expect(await Promise.all([second.exit, reset.exit])).toEqual([1, 1]);
    expect(second.output()).toContain(`Already running as process ${launcher.process.pid} since`);
    expect(second.output()).toContain(`http://127.0.0.1:${ports.GATEWAY_PORT}`);
    expect(reset.output()).toContain(`Already running as process ${launcher.process.pid} since`);
  });

  it('leaves no process behind when it is killed with -9', async () => {
    const all = pids();
    expect(all).toHaveLength(6);
    launcher.process.kill('SIGKILL');
    expect(await waitUntil(() => allGone(all), 15_000)).toBe(true);
  });

  it('starts again after that, with the same ids and data', async () => {
    writeFileSync(keyFile(), '{"version": 1, "keys": []}');
    launcher = launch('start', { API_KEYS_FILE: relative(process.cwd(), keyFile()) });
    await waitForOutput(launcher, 'Ctrl-C stops everything.');
    for (const check of ['audit', 'verify'])
      expect(await command('tools/carbon/dist/carbon.js', 'ledger', check)).toMatch(/^OK: /);
    const durable = await Promise.all(['fsync', 'synchronous_commit'].map((setting) => admin(`SHOW ${setting}`)));
    expect(durable).toEqual([[{ fsync: 'on' }], [{ synchronous_commit: 'on' }]]);
  });

  it('prints the path of the key file, which the command keys changes by default, and an example with a key', async () => {
    expect(launcher.output()).toContain(`\nAPI keys are required: ${keyFile()}.\n`);
    const [, line = ''] = launcher.output().match(/^ {2}curl .*$/gm) ?? [];
    expect(await outputOf(line)).toContain('"status":401');
    const key = await command('tools/carbon/dist/carbon.js', 'keys', 'create', '--account', 'default', '--raw');
    // The gateway reads the file every second.
    const again = `for n in $(seq 40); do ${line} | grep -v unauthorized && break; sleep 0.25; done`;
    expect(Array.isArray(JSON.parse(await outputOf(again, { API_KEY: key.trim() })))).toBe(true);
  });

  it('stops in order on SIGTERM', async () => {
    const all = pids();
    launcher.process.kill('SIGTERM');
    expect(await launcher.exit).toBe(0);
    expect(allGone(all)).toBe(true);
    const stopped = [...launcher.output().matchAll(/(\w+) has stopped/g)].map(([, part]) => part);
    expect(stopped[0]).toBe('gateway');
    expect(stopped.slice(1).sort()).toEqual(['catalog', 'offsets']);
  });

  it('names the setting when a port is in use, and starts nothing', async () => {
    const other = createServer().listen(ports.CATALOG_PORT, '127.0.0.1');
    try {
      const refused = launch('start');
      expect(await refused.exit).toBe(1);
      expect(refused.output()).toContain(`Port ${ports.CATALOG_PORT} for catalog is taken by another program`);
      expect(pids()).toEqual([]);
    } finally {
      other.close();
    }
  });

  it('empties its folder on reset', async () => {
    const reset = launch('reset');
    expect(await reset.exit).toBe(0);
    expect(reset.output()).toContain(`emptied ${folder.dir}`);
  });
});

/** Returns the output of a command of the checkout, with the environment file that the launcher writes. */
async function command(file: string, ...args: readonly string[]): Promise<string> {
  const cli = fileURLToPath(new URL(`../../../${file}`, import.meta.url));
  const env = parseEnv(readFileSync(join(folder.dir, 'environment'), 'utf8')) as Record<string, string>;
  return (await promisify(execFile)(process.execPath, [cli, ...args], { env })).stdout;
}

const keyFile = () => join(folder.dir, 'keys.json');

/** Returns the output of an example line, run by a shell. */
async function outputOf(line: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { ...inheritedEnvironment(), ...more };
  return (await promisify(execFile)('/bin/sh', ['-c', line], { env })).stdout;
}
