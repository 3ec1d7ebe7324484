import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fallbackFolder } from './engines/engine-user.js';
import { lockHolder, takeLock } from './processes/lock.js';
import { endOrphans } from './processes/pids.js';

/** The root folder of this checkout, without a slash at its end. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** The asset library of the checkout. */
export const LIBRARY = join(CHECKOUT, 'infra/data/assets.ndjson');

/** The folder into which Maven downloads the engines. */
export const ENGINES_DIR = join(CHECKOUT, 'infra/local/engines');

/** The data of `npm start` that is kept between runs: data, logs, secrets. */
export const LOCAL_DIR = join(CHECKOUT, '.local');

/**
 * Returns the checked-out commit, with a `+` at the end if the checkout has uncommitted changes.
 * @param written files whose changes do not count, because a run writes them itself
 */
export function checkedOutCommit(written: readonly string[]): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', ':(top)', ...written.map((file) => `:(top,exclude)${file}`)) !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    // A copy without its history.
    return 'unknown';
  }
}

/** Writes a file atomically; only its owner may read it. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(`${file}.new`, { force: true });
  const fresh = openSync(`${file}.new`, 'wx', 0o600);
  try {
    writeFileSync(fresh, text);
    fsyncSync(fresh);
  } finally {
    closeSync(fresh);
  }
  renameSync(`${file}.new`, file);
}

const PREFIX = 'carbon-temporary-';
const LOCK = 'owner';

/** A folder for engines or a system that end with this process at the latest. */
export interface TemporaryDir extends Disposable {
  readonly dir: string;
  /** Removes the folder and its contents. Call it after every process that uses the folder has stopped. */
  remove(): void;
}

/**
 * Creates a temporary folder, and first removes the folders that killed processes left behind. Other users may traverse
 * the folder, because the engines run as another user; they cannot read its contents.
 */
export async function temporaryDir(): Promise<TemporaryDir> {
  await removeAbandoned();
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(dir, 0o711);
  takeLock(join(dir, LOCK));
  const remove = () => removeAll(dir);
  return { dir, remove, [Symbol.dispose]: remove };
}

async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((candidate) => candidate.startsWith(PREFIX))) {
    const dir = join(tmpdir(), name);
    // In this order: its process may take the lock in between.
    if (!wasLocked(dir) || lockHolder(join(dir, LOCK)) !== undefined) continue;
    await endOrphans(join(dir, 'run'));
    removeAll(dir);
  }
}

/** A folder without its lock is still being created, or belongs to another user. */
function wasLocked(dir: string): boolean {
  try {
    return readdirSync(dir).includes(LOCK);
  } catch {
    return false;
  }
}

function removeAll(dir: string): void {
  for (const folder of [dir, fallbackFolder(dir)]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
