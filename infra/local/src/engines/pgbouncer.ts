import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '@carbon/config';
import { ENGINES_DIR } from '../checkout.js';
import { withLock } from '../processes/lock.js';
import { NotFetched } from './fetch.js';

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

/** Where PgBouncer is unpacked, and the environment in which apt is run. */
export interface PgbouncerSource {
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * PgBouncer from the packages of a Debian or Ubuntu, unpacked beside the engines and not installed.
 * @throws NotFetched where there is no apt, or it has no such packages
 */
export async function fetchPgbouncer(source: PgbouncerSource = {}): Promise<Pgbouncer> {
  const { folder = ENGINES_DIR, environment = inheritedEnvironment() } = source;
  const home = join(folder, 'pgbouncer');
  if (!existsSync(join(home, PROGRAM))) {
    mkdirSync(folder, { recursive: true });
    await withLock(join(folder, 'pgbouncer.lock'), OTHER_FETCHES_WITHIN_MS, async () => {
      if (!existsSync(join(home, PROGRAM))) await fetchAnew(home, environment);
    });
  }
  const lib = join(home, 'usr', 'lib');
  return { home, program: PROGRAM, libraries: readdirSync(lib).map((name) => join('usr', 'lib', name)) };
}

async function fetchAnew(home: string, env: Readonly<Record<string, string>>): Promise<void> {
  const incoming = `${home}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  const at = { cwd: incoming, env, timeout: STEP_WITHIN_MS };
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
    // The last line that apt wrote says why; the others are its warnings and the command.
    const reason = String(error).trim().split('\n').at(-1);
    throw new NotFetched(`PgBouncer comes by apt-get download (Debian, Ubuntu), which failed: ${reason}`, {
      cause: error,
    });
  }
  renameSync(incoming, home);
}
