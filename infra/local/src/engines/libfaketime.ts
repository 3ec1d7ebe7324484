import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DebianProgram, fetchDebianProgram, type PackageSource } from './debian-packages.js';
import { NotFetched } from './fetch.js';
import { reachableProgram } from './reach.js';
import { engineUser } from './run-as.js';

const LIBFAKETIME: DebianProgram = { title: 'libfaketime', name: 'libfaketime', packages: ['libfaketime'] };

/** The libraries that give a process another clock, by `LD_PRELOAD`. The engines' user can read them. */
export interface Libfaketime {
  readonly library: string;
  /** For a program with several threads, such as node or Java. */
  readonly multithreaded: string;
}

/**
 * libfaketime from the packages of a Debian or Ubuntu, unpacked beside the engines and not installed.
 * @throws NotFetched where there is no apt, or it has no such package
 */
export async function fetchLibfaketime(source: PackageSource = {}): Promise<Libfaketime> {
  const home = await fetchDebianProgram(LIBFAKETIME, source);
  const lib = join('usr', 'lib');
  // The folder between is named for the kind of machine.
  const [machine] = readdirSync(join(home, lib));
  if (machine === undefined) throw new NotFetched(`${home} holds no library: remove that folder and try again`);
  const folder = join(lib, machine, 'faketime');
  const reachable = join(await reachableProgram(home, folder, engineUser()), folder);
  return { library: join(reachable, 'libfaketime.so.1'), multithreaded: join(reachable, 'libfaketimeMT.so.1') };
}
