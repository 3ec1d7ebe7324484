import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { changeOwnerOfFolders, type EngineUser, ownedFolder, reachableProgram } from '../engines/engine-user.js';
import { READINESS_TIMEOUTS, withPostgres } from '../postgres/with-postgres.js';
import type { Command } from '../processes/guarded-process.js';
import type { ProcessPart } from '../supervise/part.js';
import type { RunToEnd } from '../supervise/run-to-end.js';

/** The options of the PostgreSQL server. */
export interface PostgresOptions {
  /** The system's folder. The server's folder is in it, or in its fallback folder (`fallbackFolder`). */
  readonly dir: string;
  /** The folder that contains `bin`, `lib` and `share`. */
  readonly home: string;
  readonly user: EngineUser | undefined;
  readonly port: number;
  /** The role's password, set when the data directory is created. */
  readonly password: string;
  /** Settings that override ours, as `name=value`. */
  readonly settings?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The role that owns everything in a local PostgreSQL. */
const ROLE = 'carbon';
/** The database that is created before the server counts as ready. */
const DATABASE = 'carbon';

/** Returns the address of a database of this server. Without `sslmode`, `PGSSLMODE` of the shell would apply. */
export function postgresUrl(options: Pick<PostgresOptions, 'port' | 'password'>, database = DATABASE): string {
  return `postgresql://${ROLE}:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}?sslmode=disable`;
}

/** Returns PostgreSQL with full durability: committed data survives a kill. */
export function postgresPart(options: PostgresOptions): ProcessPart {
  return {
    kind: 'process',
    name: 'postgres',
    after: [],
    prepare: (run) => prepare(options, run),
    ready: () => ready(options),
    readyWithinMs: 60_000,
  };
}

async function prepare(options: PostgresOptions, run: RunToEnd): Promise<Command> {
  const home = await reachableProgram(options.home, 'bin/postgres', options.user);
  const own = ownedFolder(options.dir, 'postgres', options.user);
  const data = join(own, 'data');
  if (!existsSync(data)) await initialise(options, home, own, run);
  return prepareServer(options, home, data);
}

/** Returns the command of a server with an existing data directory. @param home a path that the server's user can reach */
export function prepareServer(
  options: Pick<PostgresOptions, 'user' | 'port' | 'settings' | 'environment'>,
  home: string,
  data: string,
): Command {
  removeStalePidFile(join(data, 'postmaster.pid'));
  return {
    ...base(options, dirname(data)),
    file: join(home, 'bin/postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(options.port),
      ...[...SETTINGS, ...(options.settings ?? [])].flatMap((setting) => ['-c', setting]),
    ],
    stopWithinMs: 15_000,
  };
}

/** No Unix socket (its path may be too long): loopback only. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'timezone=UTC'];

/**
 * initdb works in a folder that is renamed when it is complete, so that an interrupted run leaves no incomplete
 * database.
 */
async function initialise(options: PostgresOptions, home: string, own: string, run: RunToEnd): Promise<void> {
  const [data, passwordFile] = [join(own, 'data'), join(own, 'password')];
  rmSync(`${data}.new`, { recursive: true, force: true });
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  changeOwnerOfFolders([own], options.user);
  const args = ['--pgdata', `${data}.new`, '--username', ROLE, '--auth', 'scram-sha-256', '--pwfile', passwordFile];
  const locale = ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  await run({ ...base(options, own), file: join(home, 'bin/initdb'), args: [...args, ...locale] }, 60_000);
  rmSync(passwordFile);
  renameSync(`${data}.new`, data);
}

/** SIGINT is PostgreSQL's "fast" shutdown: it ends open sessions instead of waiting for them. */
function base(options: Pick<PostgresOptions, 'user' | 'environment'>, own: string): Omit<Command, 'file' | 'args'> {
  const env = { ...options.environment, HOME: own, LC_ALL: 'C' };
  return { cwd: own, env, runAs: options.user, stopSignal: 'SIGINT', stopWithinMs: 10_000 };
}

/**
 * A killed server leaves its pid file, and the next one refuses to start while any process of the same user has that pid, for example
 * after a reboot. The file is removed only if another program has the pid. If the pid is free, PostgreSQL needs the file to check
 * whether a session of the killed server still writes.
 */
function removeStalePidFile(pidFile: string): void {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (isOtherProgram(pid)) rmSync(pidFile);
}

function isOtherProgram(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    // No such process, or not Linux: PostgreSQL's own check decides.
    return false;
  }
}

async function ready(options: PostgresOptions): Promise<boolean> {
  const createDatabase = async (client: pg.Client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return true;
  };
  return await withPostgres(postgresUrl(options, 'postgres'), createDatabase, READINESS_TIMEOUTS);
}
