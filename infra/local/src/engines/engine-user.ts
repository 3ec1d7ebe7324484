import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** The ordinary user that OpenSearch and PostgreSQL run as when the launcher is root: both refuse to be root. */
export interface EngineUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Users that every system has and nobody logs in as, the best first. */
const USERS = ['nobody', 'postgres', 'daemon'];

/** Whom to run the engines as: undefined means as whoever runs the launcher, which is right unless that is root. */
export function engineUser(): EngineUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map(userOf);
  for (const name of USERS) {
    const user = users.find((candidate) => candidate?.name === name);
    if (user !== undefined) return user;
  }
  throw new Error(`OpenSearch and PostgreSQL refuse to run as root, and /etc/passwd has none of ${USERS.join(', ')}`);
}

function userOf(line: string): EngineUser | undefined {
  const [name, , uid, gid] = line.split(':');
  if (name === undefined || Number.isNaN(Number(uid ?? '')) || Number(uid) === 0) return undefined;
  return { name, uid: Number(uid), gid: Number(gid) };
}

/** Whether that user can read and pass this file or folder; really tried, since every parent has a say in it. */
export function canReach(user: EngineUser | undefined, path: string): boolean {
  const test = ['-c', 'test -r "$1" && test -x "$1"', 'sh', path];
  const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return spawnSync('/bin/sh', test, { ...as, cwd: '/', stdio: 'ignore' }).status === 0;
}

/**
 * The stand-in for a folder that the engines' user cannot pass to (a checkout in /root, say): one under /var/tmp,
 * which outlives a restart of the machine, else under the temporary folder; the same each time for the same folder.
 */
export function standInFor(folder: string): string {
  const base = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
  return join(base, `carbon-offsets-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
}

/** A folder that the engine's user owns: the folder one, or its like in the stand-in when that is out of reach. */
export function ownedFolder(dir: string, name: string, user: EngineUser | undefined): string {
  const folder = join(dir, 'data', name);
  mkdirSync(folder, { recursive: true });
  if (user === undefined) return folder;
  give(folder, user);
  if (canReach(user, folder)) return folder;
  rmSync(folder, { recursive: true });
  const stand = join(makeStandIn(dir), name);
  mkdirSync(stand, { recursive: true });
  give(stand, user);
  if (canReach(user, stand)) return stand;
  throw new Error(`the user ${user.name}, whom ${name} runs as, can reach neither ${folder} nor ${stand}`);
}

/** The program folder itself, or a copy in the stand-in that the engine's user can reach. `probe` lies within it. */
export async function reachableProgram(folder: string, probe: string, user: EngineUser | undefined): Promise<string> {
  if (user === undefined || canReach(user, join(folder, probe))) return folder;
  const copy = join(makeStandIn(folder), basename(folder));
  if (existsSync(copy)) return copy;
  await cp(folder, `${copy}.new`, { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chmod', ['-R', 'a+rX', `${copy}.new`]);
  renameSync(`${copy}.new`, copy);
  return copy;
}

/** In a folder that all may write to, what is already there must be ours, or it is somebody's trap. */
function makeStandIn(folder: string): string {
  const stand = standInFor(folder);
  if (!existsSync(stand)) mkdirSync(stand, { mode: 0o711 });
  const found = lstatSync(stand);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${stand} should be this user’s own folder, and is not: look at it, and remove it`);
  }
  chmodSync(stand, 0o711);
  return stand;
}

function give(folder: string, user: EngineUser): void {
  chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

/** Gives these folders and the files directly in them to the engine's user; what lies deeper the engine made itself. */
export function giveTree(folders: readonly string[], user: EngineUser | undefined): void {
  if (user === undefined) return;
  for (const folder of folders) {
    chownSync(folder, user.uid, user.gid);
    for (const name of readdirSync(folder)) {
      if (lstatSync(join(folder, name)).isFile()) chownSync(join(folder, name), user.uid, user.gid);
    }
  }
}
