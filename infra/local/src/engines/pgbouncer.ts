import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ENGINES_DIR } from '../checkout.js';
import { withLock } from '../processes/lock.js';
import { NotFetched } from './fetch.js';

const HOME = join(ENGINES_DIR, 'pgbouncer');
const PROGRAM = join('usr', 'sbin', 'pgbouncer');
/** The program, and the libraries that a system without it may lack. */
const PACKAGES = ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'];
const STEP_WITHIN_MS = 120_000;
const OTHER_FETCHES_WITHIN_MS = 180_000;

const run = promisify(execFile);

/** Where PgBouncer lies. */
export interface Pgbouncer {
  /** What everything of it lies in. */
  readonly home: string;
  /** Within it. */
  readonly program: string;
  /** Where its libraries lie, beside the system's own. */
  readonly libraries: readonly string[];
}

/**
 * PgBouncer from the packages of a Debian or Ubuntu, unpacked beside the engines and not installed.
 * @throws NotFetched where there is no apt, or it has no such packages
 */
export async function fetchPgbouncer(): Promise<Pgbouncer> {
  if (!existsSync(join(HOME, PROGRAM))) {
    mkdirSync(ENGINES_DIR, { recursive: true });
    await withLock(join(ENGINES_DIR, 'pgbouncer.lock'), OTHER_FETCHES_WITHIN_MS, async () => {
      if (!existsSync(join(HOME, PROGRAM))) await fetchAnew();
    });
  }
  const lib = join(HOME, 'usr', 'lib');
  return { home: HOME, program: PROGRAM, libraries: readdirSync(lib).map((name) => join('usr', 'lib', name)) };
}

async function fetchAnew(): Promise<void> {
  const incoming = `${HOME}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  const at = { cwd: incoming, timeout: STEP_WITHIN_MS };
  try {
    // An image may come without the lists; where they are there, a network that is gone should not matter.
    await run('apt-get', ['download', ...PACKAGES], at).catch(async () => {
      await run('apt-get', ['update'], at);
      await run('apt-get', ['download', ...PACKAGES], at);
    });
    for (const file of readdirSync(incoming).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', file, '.'], at);
      rmSync(join(incoming, file));
    }
  } catch (error) {
    throw new NotFetched(
      `PgBouncer could not be fetched by apt-get, which ${dirname(HOME)} gets it from on Debian and Ubuntu: ${error}`,
      { cause: error },
    );
  }
  renameSync(incoming, HOME);
}
