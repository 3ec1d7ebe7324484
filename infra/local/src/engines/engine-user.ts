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
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../processes/lock.js';

/** How long to wait while another process copies the same program, which takes some seconds. */
const OTHER_COPIES_TIMEOUT_MS = 60_000;

/** The unprivileged user that runs OpenSearch and PostgreSQL when the launcher is root: both refuse to run as root. */
export interface EngineUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Unprivileged users that exist on most systems, in order of preference. */
const USERS = ['nobody', 'postgres', 'daemon'];

/** Returns the user to run the engines as, or undefined if the launcher is not root: then they run as its user. */
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

/** Returns whether the user can read and traverse this path. It tries, because the permissions of every parent count. */
export function canReach(user: EngineUser | undefined, path: string): boolean {
  const test = ['-c', 'test -r "$1" && test -x "$1"', 'sh', path];
  const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return spawnSync('/bin/sh', test, { ...as, cwd: '/', stdio: 'ignore' }).status === 0;
}

/**
 * Returns the folder to use instead of one that the engines' user cannot reach, such as a checkout in /root. It is under
 * /var/tmp, which survives a reboot, or else under the temporary folder, and is always the same for the same folder.
 */
export function fallbackFolder(folder: string): string {
  const base = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
  return join(base, `carbon-offsets-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
}

/**
 * Creates a folder that the engine's user owns: in `dir`, or in its fallback folder if the user cannot reach `dir`.
 * @throws Error if another user owns the data, or if the engine's user cannot reach the folder
 */
export function ownedFolder(dir: string, name: string, user: EngineUser | undefined): string {
  const folder = join(dir, 'data', name);
  mkdirSync(folder, { recursive: true });
  if (user === undefined) return folder;
  const owner = statSync(folder).uid;
  const hasData = readdirSync(folder).length > 0;
  if (hasData && owner !== user.uid && owner !== process.getuid?.()) {
    throw new Error(
      `the user with the ID ${owner} owns ${folder}: start the system as that user, or remove the folder`,
    );
  }
  const fallbackData = join(fallbackFolder(dir), name);
  const hasFallbackData = !hasData && existsSync(fallbackData) && readdirSync(fallbackData).length > 0;
  changeOwner(folder, user);
  if (!hasFallbackData && canReach(user, folder)) return folder;
  if (hasData) {
    throw new Error(
      `the user ${user.name}, which runs ${name}, cannot reach its data in ${folder}: let others enter its parent folders (chmod o+x), or remove ${folder}`,
    );
  }
  rmdirSync(folder);
  const fallback = join(createFallbackFolder(dir), name);
  mkdirSync(fallback, { recursive: true });
  changeOwner(fallback, user);
  if (canReach(user, fallback)) return fallback;
  throw new Error(`the user ${user.name}, which runs ${name}, can reach neither ${folder} nor ${fallback}`);
}

/** Returns the program's folder, or a copy that the engine's user can reach. `probe` is a path inside the folder. */
export async function reachableProgram(folder: string, probe: string, user: EngineUser | undefined): Promise<string> {
  if (user === undefined || canReach(user, join(folder, probe))) return folder;
  // An upgrade may put another version into the same folder.
  const installedAt = Math.trunc(statSync(join(folder, probe)).mtimeMs);
  const copy = join(createFallbackFolder(folder), `${basename(folder)}-${installedAt}`);
  if (existsSync(copy)) return copy;
  return await withLock(`${copy}.lock`, OTHER_COPIES_TIMEOUT_MS, async () => {
    if (existsSync(copy)) return copy;
    const incoming = `${copy}.new`;
    rmSync(incoming, { recursive: true, force: true });
    await cp(folder, incoming, { recursive: true, verbatimSymlinks: true });
    await promisify(execFile)('chmod', ['-R', 'a+rX', incoming]);
    renameSync(incoming, copy);
    return copy;
  });
}

/** Everyone may write to /var/tmp, so an existing folder must belong to us: another user may have planted it. */
function createFallbackFolder(folder: string): string {
  const fallback = fallbackFolder(folder);
  if (!existsSync(fallback)) mkdirSync(fallback, { recursive: true, mode: 0o711 });
  const found = lstatSync(fallback);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(
      `${fallback} must belong to this user and must not be writable by others: inspect it, then remove it`,
    );
  }
  chmodSync(fallback, 0o711);
  return fallback;
}

function changeOwner(folder: string, user: EngineUser): void {
  chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

/** Makes the engine's user the owner of these folders and of the files directly in them. The engine created the rest. */
export function changeOwnerOfFolders(folders: readonly string[], user: EngineUser | undefined): void {
  if (user === undefined) return;
  for (const folder of folders) {
    chownSync(folder, user.uid, user.gid);
    for (const name of readdirSync(folder)) {
      if (lstatSync(join(folder, name)).isFile()) chownSync(join(folder, name), user.uid, user.gid);
    }
  }
}
