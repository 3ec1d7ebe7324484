import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { answers } from '../ports.js';
import type { Command } from '../processes/guarded-process.js';
import type { ProcessPart } from '../supervise/part.js';

/** The address of a Redis, and its password. */
export interface RedisServer {
  readonly port: number;
  readonly password: string;
}

/** The options of one Redis. */
export interface RedisOptions extends RedisServer {
  /** Its own folder. */
  readonly dir: string;
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The `redis://` address with its password. */
export function redisUrl({ port, password }: RedisServer): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

/** Returns the program for this machine. */
export function redisProgram(folder: string): string {
  const system = `-${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`;
  const name = readdirSync(folder).find((candidate) => candidate.endsWith(system));
  if (name === undefined) throw new Error(`${folder} contains no redis-server for this machine (${system.slice(1)})`);
  return join(folder, name);
}

/** Returns a Redis without persistence: it restarts empty, which is the harder case for its clients. */
export function redisPart(options: RedisOptions): ProcessPart {
  return {
    kind: 'process',
    name: 'redis',
    after: [],
    prepare: async () => prepare(options),
    // It has no data to load, so it serves as soon as its port answers.
    ready: () => answers(options.port),
    readyWithinMs: 30_000,
  };
}

function prepare({ dir, port, password, program, environment }: RedisOptions): Command {
  mkdirSync(dir, { recursive: true });
  chmodSync(program, 0o755);
  const settings = join(dir, 'redis.conf');
  const lines = [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, 'save ""', 'appendonly no', `dir ${dir}`];
  writeFileSync(settings, `${lines.join('\n')}\n`, { mode: 0o600 });
  return { file: program, args: [settings], cwd: dir, env: environment, stopSignal: 'SIGTERM', stopWithinMs: 5_000 };
}
