import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Bug } from './bug.js';
import type { Fault } from './fault.js';
import { COUNTS, type Count } from './judge/counts.js';

/** The modules are compiled where this file is, and only there. */
const COMPILED = extname(import.meta.filename);

const kebab = z.string().regex(/^[a-z]+(-[a-z]+)*$/);
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

/** Every fault of the folder `faults`, by name. Each file exports `faults`, so that a new file needs no other change. */
export async function loadFaults(): Promise<readonly Fault[]> {
  const modules = await loadFolder('faults');
  const faults = [...modules.values()].flatMap((module) => (module as { readonly faults: readonly Fault[] }).faults);
  return faults.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Every bug of the folder `bugs`, by name. Rejects for a file that holds none, or one that bears another name. */
export async function loadBugs(): Promise<readonly Bug[]> {
  return [...(await loadFolder('bugs'))].map(([file, module]) => {
    const read = bugModule.safeParse(module);
    if (!read.success) throw new Error(`bugs/${file} is no bug:\n${z.prettifyError(read.error)}`);
    if (read.data.bug.name !== file) throw new Error(`bugs/${file} calls itself ${read.data.bug.name}.`);
    return read.data.bug as Bug;
  });
}

/** The modules of a folder beside this file, by their names without the ending. */
async function loadFolder(folder: string): Promise<Map<string, unknown>> {
  const dir = join(import.meta.dirname, folder);
  const files = readdirSync(dir).filter((file) => /^[a-z-]+\.[jt]s$/.test(file) && extname(file) === COMPILED);
  const modules = new Map<string, unknown>();
  for (const file of files.sort())
    modules.set(basename(file, COMPILED), await import(pathToFileURL(join(dir, file)).href));
  return modules;
}
