import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bug } from './bug.js';
import type { Fault } from './fault.js';

/** The modules are compiled where this file is, and only there. */
const COMPILED = extname(import.meta.filename);

/**
 * Returns every fault of the folder `faults`, by name. Each file exports `faults`, so that a new file needs no other
 * change.
 */
export async function loadFaults(): Promise<readonly Fault[]> {
  const modules = await loadFolder('faults');
  const faults = modules.flatMap((module) => (module as { readonly faults: readonly Fault[] }).faults);
  return faults.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns every bug of the folder `bugs`, in the order of their files. Each file exports `bug`. */
export async function loadBugs(): Promise<readonly Bug[]> {
  const modules = (await loadFolder('bugs')) as readonly { readonly bug?: Bug }[];
  if (modules.some(({ bug }) => bug === undefined)) throw new Error('A file of the folder bugs exports no `bug`.');
  return modules.flatMap(({ bug }) => bug ?? []);
}

/** Returns the modules of a folder by their names. The sources list them, because a compiled one may be outdated. */
async function loadFolder(folder: string): Promise<unknown[]> {
  const sources = readdirSync(join(import.meta.dirname, '../src', folder)).sort();
  const modules: unknown[] = [];
  for (const name of sources.map((file) => basename(file, '.ts')))
    modules.push(await import(pathToFileURL(join(import.meta.dirname, folder, name + COMPILED)).href));
  return modules;
}
