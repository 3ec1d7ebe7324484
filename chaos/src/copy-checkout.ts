import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT } from '@carbon/local';
import { z } from 'zod';
import { editedFiles } from './apply-edit.js';
import type { Bug } from './bug.js';

const run = promisify(execFile);

const ENGINES = 'infra/local/engines';
/** Created by installing, downloading and running: linked, or not needed by a run. */
const NOT_COPIED = new Set(['node_modules', 'engines', 'target', '.local', '.turbo', 'coverage']);
const APPS = ['apps/gateway', 'apps/offsets', 'apps/catalog'];
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const rootPackage = z.object({ workspaces: z.array(z.string()) });

/**
 * Copies this built checkout into a new folder, with the times of its files, so that only changed packages are rebuilt.
 * Third-party packages and engines are links to those of this checkout; our own packages are found in the copy. Engines
 * that run as another user must be able to traverse the folder.
 */
export async function copyCheckout(into: string): Promise<void> {
  await mkdir(into, { mode: 0o755 });
  for (const folder of await workspaces()) await copyWorkspace(folder, into);
  await copy(['docs', 'package.json', ...globSync('tsconfig*.json', { cwd: CHECKOUT })], '.', into);
  await linkPackages(into);
  await mkdir(join(CHECKOUT, ENGINES), { recursive: true });
  await symlink(join(CHECKOUT, ENGINES), join(into, ENGINES));
}

/**
 * Applies the edits of a bug in a copy. Resolves with a function that reverts them.
 * @throws EditDoesNotApply, and changes nothing, if an edit does not apply exactly once
 */
export async function applyEdits(folder: string, bug: Bug): Promise<() => Promise<void>> {
  const texts = new Map<string, string>();
  for (const { file } of bug.edits) texts.set(file, await readFile(join(folder, file), 'utf8').catch(() => ''));
  const files = editedFiles(bug, (file) => texts.get(file) ?? '');
  const write = async (contents: ReadonlyMap<string, string>) => {
    for (const [file, text] of contents) await writeFile(join(folder, file), text);
  };
  await write(files);
  return () => write(texts);
}

/**
 * Builds the packages that a bug changes in a copy, and those that run with them. Rejects with the compiler's output.
 */
export async function build(folder: string, bug: Bug): Promise<void> {
  const compiler = join(folder, 'node_modules/ts7/bin/tsc');
  try {
    await run(process.execPath, [compiler, '-b', ...projectsOf(bug)], { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES });
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(`The bug ${bug.name} does not compile.\n${stdout}${stderr}`, { cause });
  }
}

/** Every app uses the libs and must still compile with them. */
function projectsOf({ edits }: Bug): string[] {
  const touched = edits.map(({ file }) => file.split('/', 2).join('/'));
  return [...new Set(touched.some((one) => one.startsWith('libs/')) ? [...touched, ...APPS] : touched)];
}

/** All of them, because their packages are linked in `node_modules`. */
async function workspaces(): Promise<string[]> {
  const { workspaces: patterns } = rootPackage.parse(
    JSON.parse(await readFile(join(CHECKOUT, 'package.json'), 'utf8')),
  );
  return globSync(patterns, { cwd: CHECKOUT }).filter((folder) => existsSync(join(CHECKOUT, folder, 'package.json')));
}

async function copyWorkspace(folder: string, into: string): Promise<void> {
  await mkdir(join(into, folder), { recursive: true });
  const entries = await readdir(join(CHECKOUT, folder));
  await copy(
    entries.filter((entry) => !NOT_COPIED.has(entry)),
    folder,
    into,
  );
  const packages = join(CHECKOUT, folder, 'node_modules');
  if (existsSync(packages)) await symlink(packages, join(into, folder, 'node_modules'));
}

async function copy(entries: readonly string[], folder: string, into: string): Promise<void> {
  const from = entries.map((entry) => join(CHECKOUT, folder, entry));
  await run('cp', ['-a', ...from, join(into, folder)]);
}

/** The links in `@carbon` are relative, so they are copied unchanged. */
async function linkPackages(into: string): Promise<void> {
  const [own, other] = [join(into, 'node_modules'), join(CHECKOUT, 'node_modules')];
  await mkdir(own);
  for (const entry of await readdir(other)) {
    if (entry !== '@carbon') await symlink(join(other, entry), join(own, entry));
  }
  await run('cp', ['-a', join(other, '@carbon'), own]);
}
