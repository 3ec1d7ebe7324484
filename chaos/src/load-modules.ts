import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Bug } from './bug.js';
import type { Fault } from './fault.js';
import { COUNTS, type Count } from './judge/counts.js';

/** The modules are compiled where this file is, and only there. */
const COMPILED = extname(import.meta.filename);

const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const edit = z.strictObject({
  file: z.string().regex(/^(apps|libs)\/[a-z-]+\/src\/.+(?<!\.spec)\.ts$/),
  find: z.string().min(1),
  replace: z.string(),
});
const bugModule = z.object({
  bug: z.strictObject({
    name: kebab,
    breaks: z.string().regex(/^[A-Z].*\.$/),
    edits: z.array(edit).min(1),
    fault: kebab,
    caughtBy: z.enum(Object.keys(COUNTS) as [Count, ...Count[]]),
    shape: z.record(z.string(), z.unknown()).optional(),
  }),
});

/**
 * Returns every fault of the folder `faults`, by name. Each file exports `faults`, so that a new file needs no other
 * change.
 */
export async function loadFaults(): Promise<readonly Fault[]> {
  const modules = await loadFolder('faults');
  const faults = [...modules.values()].flatMap((module) => (module as { readonly faults: readonly Fault[] }).faults);
  return faults.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns every bug of the folder `bugs`, by name. Rejects for a file without one, or with one of another name. */
export async function loadBugs(): Promise<readonly Bug[]> {
  return [...(await loadFolder('bugs'))].map(([file, module]) => {
    const read = bugModule.safeParse(module);
    if (!read.success) throw new Error(`bugs/${file} is no bug:\n${z.prettifyError(read.error)}`);
    if (read.data.bug.name !== file) throw new Error(`bugs/${file} calls itself ${read.data.bug.name}.`);
    return read.data.bug as Bug;
  });
}

/** Returns the modules of a folder by their names. The sources list them, because a compiled one may be outdated. */
async function loadFolder(folder: string): Promise<Map<string, unknown>> {
  const sources = readdirSync(join(import.meta.dirname, '../src', folder)).sort();
  const modules = new Map<string, unknown>();
  for (const name of sources.map((file) => basename(file, '.ts')))
    modules.set(name, await import(pathToFileURL(join(import.meta.dirname, folder, name + COMPILED)).href));
  return modules;
}
