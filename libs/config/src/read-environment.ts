import { readFileSync } from 'node:fs';
import type { ConfigFault } from './config-error.js';
import { metaOf, type SettingsSchema } from './setting.js';

/** Environment variables: names to text. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings' texts, and what was wrong with getting at them. */
export interface RawSettings {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly ConfigFault[];
}

/** The texts of a schema's settings. An empty one counts as not set; a secret may come from the file `<NAME>_FILE` names. */
export function readEnvironment(schema: SettingsSchema, environment: Environment): RawSettings {
  const values: Record<string, string> = {};
  const faults: ConfigFault[] = [];
  for (const [name, setting] of Object.entries(schema.shape)) {
    const direct = environment[name] || undefined;
    const file = metaOf(setting).secret ? environment[`${name}_FILE`] || undefined : undefined;
    const read = file === undefined ? { text: direct } : direct === undefined ? readSecret(file) : BOTH;
    if (read.fault !== undefined) faults.push({ name: `${name}_FILE`, detail: read.fault });
    else if (read.text !== undefined) values[name] = read.text;
  }
  return { values, faults };
}

interface Read {
  readonly text?: string | undefined;
  readonly fault?: string;
}

const BOTH: Read = { fault: 'is set beside the setting itself; set only one of the two' };

function readSecret(path: string): Read {
  try {
    return { text: readFileSync(path, 'utf8').trim() };
  } catch (error) {
    const reason = typeof error === 'object' && error && 'code' in error ? String(error.code) : 'unknown reason';
    return { fault: `names a file that cannot be read (${reason}); check the path and its permissions` };
  }
}
