import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  EMPTY_KEY_FILE,
  type KeyFile,
  KeyFileError,
  MAX_KEY_FILE_BYTES,
  readKeyFile,
  writeKeyFile,
} from '@carbon/auth';
import { CommandError, UnavailableError } from '@carbon/terminal';
import type { Change } from './key-changes.js';

/** Changes take milliseconds. */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_POLL_MS = 20;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ignore = () => {};
/** The file names accounts, though it has no secret. */
const OWNER_ONLY = 0o600;
const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The key file. Changes exclude each other; readers see all of a change or nothing of it. */
export class KeyFileStore {
  constructor(private readonly path: string) {}

  /** @throws CommandError when the file is missing or invalid, with everything that is wrong with it */
  read(): KeyFile {
    const file = this.readIfPresent(this.path);
    if (file === undefined) throw new CommandError(`there is no key file at ${this.path}; \`create\` creates one`);
    return file;
  }

  /**
   * Changes the file, or creates it. A change that throws changes nothing.
   *
   * @throws CommandError when the system refuses the change, UnavailableError when another process holds the lock
   */
  async change<T>(change: (file: KeyFile) => Change<T>): Promise<T> {
    try {
      return await this.changeLocked(change);
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      const reason = DISK_FULL.has(code) ? `its disk is full (${code})` : code;
      throw new CommandError(`${this.path} cannot be changed: ${reason}`);
    }
  }

  private async changeLocked<T>(change: (file: KeyFile) => Change<T>): Promise<T> {
    makeFolder(dirname(this.path));
    // A link stays a link: its target is changed, and whoever uses another name of it waits for the same lock.
    const path = realPathOf(this.path);
    const lock = `${path}.lock`;
    await takeLock(lock);
    try {
      const { file, result } = change(this.readIfPresent(path) ?? EMPTY_KEY_FILE);
      const text = writeKeyFile(file);
      requireReadable(text);
      replaceFile(path, text);
      return result;
    } finally {
      rmSync(lock, { force: true });
      ignoreSignals('off');
    }
  }

  private readIfPresent(path: string): KeyFile | undefined {
    try {
      return readKeyFile(readFileSync(path, 'utf8'));
    } catch (error) {
      if (error instanceof KeyFileError) {
        const lines = error.issues.map(({ place, detail }) => `  ${place} ${detail}`);
        throw new CommandError([`${this.path} is invalid; fix it by hand:`, ...lines].join('\n'));
      }
      const code = systemCode(error);
      if (code === 'ENOENT') return undefined;
      throw new CommandError(`${this.path} cannot be read (${code})`);
    }
  }
}

/** @throws CommandError for a key file that a gateway would refuse */
function requireReadable(text: string): void {
  if (Buffer.byteLength(text) > MAX_KEY_FILE_BYTES) {
    throw new CommandError(
      `the key file would exceed ${MAX_KEY_FILE_BYTES} bytes, and gateways would refuse it; remove entries of expired keys by hand`,
    );
  }
  try {
    readKeyFile(text);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    throw new CommandError(`the change would make the key file invalid: ${error.message}`);
  }
}

/**
 * Creates the lock file, or waits until another process has removed its own. A lock that a killed process left behind is not
 * broken: two processes that break it at once would both hold it.
 */
async function takeLock(path: string): Promise<void> {
  const end = performance.now() + LOCK_TIMEOUT_MS;
  while (!lockCreated(path)) {
    if (performance.now() > end) {
      const holder = existsSync(path) ? ` by process ${readFileSync(path, 'utf8').trim()}` : '';
      throw new UnavailableError(
        `the key file is being changed${holder}; if no such process runs, remove ${path} and try again`,
      );
    }
    await sleep(LOCK_POLL_MS);
  }
}

/** Ignores signals until the lock is removed, milliseconds later, because a process that ends before would leave it behind. */
function lockCreated(path: string): boolean {
  ignoreSignals('on');
  try {
    writeNewFile(path, `${process.pid}\n`);
    return true;
  } catch (error) {
    ignoreSignals('off');
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function ignoreSignals(onOrOff: 'on' | 'off'): void {
  for (const signal of SIGNALS) process[onOrOff](signal, ignore);
}

/** Replaces a file, and keeps its owner, group and mode. */
function replaceFile(path: string, text: string): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const fresh = `${path}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  writeNewFile(fresh, text, (handle) => {
    if (before !== undefined) keepOwner(before, handle);
  });
  renameSync(fresh, path);
}

/** Writes all of a file that does not exist yet, durably, or leaves none. */
function writeNewFile(path: string, text: string, prepare: (handle: number) => void = () => {}): void {
  const handle = openSync(path, 'wx', OWNER_ONLY);
  try {
    // Not writeSync: on a disk that is nearly full it writes a part, and only its result says so.
    writeFileSync(handle, text);
    prepare(handle);
    fsyncSync(handle);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** Sets the owner first, because the mode may be meant for that group alone. */
function keepOwner({ uid, gid, mode }: Stats, handle: number): void {
  const own = fstatSync(handle);
  try {
    if (own.uid !== uid || own.gid !== gid) fchownSync(handle, uid, gid);
    fchmodSync(handle, mode & 0o777);
  } catch {
    // Otherwise the gateway might no longer read the file, or others might.
    throw new CommandError(
      `the key file belongs to ${uid}:${gid}, and the change would replace its owner; run the command as that user`,
    );
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns where a file system such as /proc refuses with ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Resolves the links in a path; the file itself may be missing. @throws CommandError for a link without a target */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CommandError(`${path} is a link without a target; remove it, or create the file that it names`);
  }
  return join(realpathSync(dirname(path)), basename(path));
}

/** Returns the code of an error of the operating system, such as ENOENT. */
function systemCode(error: unknown): string | undefined {
  const isOfSystem = typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;
  return isOfSystem ? String(error.code) : undefined;
}
