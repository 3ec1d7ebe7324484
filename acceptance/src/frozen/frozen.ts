import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { FROZEN, ROOT } from '../checkout.js';
import { clientExports } from './client-exports.js';
import { commands } from './commands.js';
import { describeSchema, withMigratedDatabase } from './schema.js';
import { withoutProse } from './without-prose.js';

const SECTION = /^# --- (.+) ---$/;
const SETTING = /^(?:# )?([A-Z][A-Z0-9_]*)=('?)(.*)\2$/;
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The interfaces that can be read from files, by the file of the frozen list. */
export const READ_FROM_FILES: Readonly<Record<string, () => unknown>> = {
  'openapi.json': () => withoutProse(JSON.parse(text('docs/openapi.json'))),
  'asyncapi.json': () => withoutProse(parse(text('docs/asyncapi.yaml'))),
  'settings.json': () => settings(text('.env.example')),
  'client-exports.json': () => clientExports(join(ROOT, 'libs/client/dist/index.d.ts')),
};

/** The interfaces that only running programs print. */
export const PRINTED_BY_COMMANDS: Readonly<Record<string, () => unknown>> = { 'commands.json': () => commands() };

/** The database schema, read from the PostgreSQL server to which `DATABASE_URL` points. */
export const READ_FROM_DATABASE: Readonly<Record<string, () => unknown>> = {
  'schema.json': () => withMigratedDatabase(describeSchema),
};

/** Writes the current state into files of the frozen list. */
export async function freeze(files: Readonly<Record<string, () => unknown>>): Promise<void> {
  for (const [file, read] of Object.entries(files)) {
    writeFileSync(join(FROZEN, file), `${JSON.stringify(await read(), null, 2)}\n`);
  }
}

/** Returns the settings of each program with the value in `.env.example`: the default, or an example if there is none. */
function settings(example: string): Record<string, Record<string, string>> {
  const sections: Record<string, Record<string, string>> = {};
  let section: Record<string, string> = {};
  for (const line of example.split('\n')) {
    const [, title] = SECTION.exec(line) ?? [];
    if (title !== undefined) {
      section = {};
      sections[title] = section;
    }
    const [, name, , value] = SETTING.exec(line) ?? [];
    if (name !== undefined && value !== undefined) section[name] = value;
  }
  return sections;
}
