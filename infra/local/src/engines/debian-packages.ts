import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '@carbon/config';
import { ENGINES_DIR } from '../checkout.js';
import { withLock } from '../processes/lock.js';
import { engineUser, reachableProgram } from './engine-user.js';
import { DownloadError } from './fetch.js';

const STEP_TIMEOUT_MS = 120_000;
const OTHER_FETCHES_TIMEOUT_MS = 180_000;

const run = promisify(execFile);

/** A program that apt downloads. */
interface DebianProgram {
  /** The name to show in messages. */
  readonly title: string;
  /** The name of its folder next to the engines. */
  readonly name: string;
  /** Its package, and the packages of libraries that the system may lack. */
  readonly packages: readonly string[];
}

/**
 * Downloads a program from Debian or Ubuntu packages and unpacks it next to the engines, without installing it.
 * @throws DownloadError if apt is missing or does not have the packages
 */
async function fetchDebianProgram(program: DebianProgram): Promise<string> {
  const home = join(ENGINES_DIR, program.name);
  if (!existsSync(home)) {
    mkdirSync(ENGINES_DIR, { recursive: true });
    await withLock(join(ENGINES_DIR, `${program.name}.lock`), OTHER_FETCHES_TIMEOUT_MS, async () => {
      if (!existsSync(home)) await download(program, home);
    });
  }
  return home;
}

/** Downloads into a temporary folder, and renames it when it is complete. */
async function download({ title, packages }: DebianProgram, home: string): Promise<void> {
  const incoming = `${home}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  const at = { cwd: incoming, env: inheritedEnvironment(), timeout: STEP_TIMEOUT_MS };
  try {
    // A container image may lack the package lists, so update them if the download fails.
    await run('apt-get', ['download', ...packages], at).catch(async () => {
      await run('apt-get', ['update'], at);
      await run('apt-get', ['download', ...packages], at);
    });
    for (const file of readdirSync(incoming).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', file, '.'], at);
      rmSync(join(incoming, file));
    }
  } catch (error) {
    // The last line of apt's output is the reason; the other lines are warnings and the command.
    const reason = String(error).trim().split('\n').at(-1);
    throw new DownloadError(`apt-get download (Debian, Ubuntu) of ${title} failed: ${reason}`, {
      cause: error,
    });
  }
  renameSync(incoming, home);
}

const LIBFAKETIME: DebianProgram = { title: 'libfaketime', name: 'libfaketime', packages: ['libfaketime'] };

/** The libraries that fake the clock of a process, by `LD_PRELOAD`. The engines' user can read them. */
export interface Libfaketime {
  readonly library: string;
  /** For a program with several threads, such as node or Java. */
  readonly multithreaded: string;
}

/**
 * Downloads libfaketime from Debian or Ubuntu packages and unpacks it next to the engines, without installing it.
 * @throws DownloadError if apt is missing or does not have the package
 */
export async function fetchLibfaketime(): Promise<Libfaketime> {
  const home = await fetchDebianProgram(LIBFAKETIME);
  const lib = join('usr', 'lib');
  // The folder in between is named after the CPU architecture.
  const [machine] = readdirSync(join(home, lib));
  if (machine === undefined) throw new DownloadError(`${home} contains no library: remove that folder and try again`);
  const folder = join(lib, machine, 'faketime');
  const reachable = join(await reachableProgram(home, folder, engineUser()), folder);
  return { library: join(reachable, 'libfaketime.so.1'), multithreaded: join(reachable, 'libfaketimeMT.so.1') };
}

const PGBOUNCER: DebianProgram = {
  title: 'PgBouncer',
  name: 'pgbouncer',
  packages: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'],
};

/** The paths of PgBouncer. */
export interface Pgbouncer {
  /** The folder of all its files. */
  readonly home: string;
  /** The path of the program, relative to `home`. */
  readonly program: string;
  /** The folders of the libraries that it needs besides the system's, relative to `home`. */
  readonly libraries: readonly string[];
}

/**
 * Downloads PgBouncer from Debian or Ubuntu packages and unpacks it next to the engines, without installing it.
 * @throws DownloadError if apt is missing or does not have the packages
 */
export async function fetchPgbouncer(): Promise<Pgbouncer> {
  const home = await fetchDebianProgram(PGBOUNCER);
  const lib = join(home, 'usr', 'lib');
  return {
    home,
    program: join('usr', 'sbin', 'pgbouncer'),
    libraries: readdirSync(lib).map((name) => join('usr', 'lib', name)),
  };
}
