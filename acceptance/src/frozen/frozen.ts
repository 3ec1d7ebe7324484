import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../root.js';
import { describeSchema } from '../schema/describe-schema.js';
import { withMigratedDatabase } from '../schema/migrated-database.js';
import { clientExports } from './client-exports.js';
import { commands } from './commands.js';
import { settings } from './settings.js';
import { withoutProse } from './without-prose.js';

const FOLDER = join(ROOT, 'acceptance/frozen');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What users of every edition rely on and files say, by the file that holds it. */
export const DESCRIBED: Readonly<Record<string, () => unknown>> = {
  'openapi.json': () => withoutProse(JSON.parse(text('docs/openapi.json'))),
  'asyncapi.json': () => withoutProse(parse(text('docs/asyncapi.yaml'))),
  'settings.json': () => settings(join(ROOT, '.env.example')),
  'client-exports.json': () => clientExports(join(ROOT, 'libs/client/dist/index.d.ts')),
};

/** What only running programs say. */
export const ASKED: Readonly<Record<string, () => unknown>> = { 'commands.json': () => commands(ROOT) };

/** What a PostgreSQL says, which `DATABASE_URL` names. */
export const MIGRATED: Readonly<Record<string, () => unknown>> = {
  'schema.json': () => withMigratedDatabase(ROOT, describeSchema),
};

/** Returns what a file of the frozen list holds. */
export function frozen(file: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
}

/** Writes what stands now into files of the frozen list. */
export async function freeze(files: Readonly<Record<string, () => unknown>>): Promise<void> {
  for (const [file, read] of Object.entries(files)) {
    writeFileSync(join(FOLDER, file), `${JSON.stringify(await read(), null, 2)}\n`);
  }
}
