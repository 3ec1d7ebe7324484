import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DebianProgram, fetchDebianProgram, type PackageSource } from './debian-packages.js';

const PGBOUNCER: DebianProgram = {
  title: 'PgBouncer',
  name: 'pgbouncer',
  packages: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'],
};

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
export async function fetchPgbouncer(source: PackageSource = {}): Promise<Pgbouncer> {
  const home = await fetchDebianProgram(PGBOUNCER, source);
  const lib = join(home, 'usr', 'lib');
  return {
    home,
    program: join('usr', 'sbin', 'pgbouncer'),
    libraries: readdirSync(lib).map((name) => join('usr', 'lib', name)),
  };
}
