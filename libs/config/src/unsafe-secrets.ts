import type { ConfigFault } from './config-error.js';
import { metaOf, type SettingsSchema } from './setting.js';

/** What docker-compose.yml sets for a laptop begins so: everybody can read it there. */
const PUBLISHED = 'compose-only-';

/** What no list of secrets shows by itself, and production does not take: one that is published, or used for two things. */
export function unsafeSecrets(schema: SettingsSchema, values: Readonly<Record<string, string>>): ConfigFault[] {
  if (values.NODE_ENV !== 'production') return [];
  const faults: ConfigFault[] = [];
  const users = new Map<string, string>();
  for (const [name, setting] of Object.entries(schema.shape)) {
    const secrets = secretsOf(setting, values[name]);
    if (secrets.some((secret) => secret.startsWith(PUBLISHED))) {
      faults.push({ name, detail: 'must not be what docker-compose.yml publishes; use `openssl rand -base64 48`' });
    }
    const other = secrets.map((secret) => users.get(secret)).find((user) => user !== undefined);
    if (other !== undefined) faults.push({ name, detail: `must hold other secrets than ${other}` });
    for (const secret of secrets) users.set(secret, name);
  }
  return faults;
}

function secretsOf(setting: SettingsSchema['shape'][string], text: string | undefined): readonly string[] {
  const { data } = setting.safeParse(text);
  return metaOf(setting).secret && Array.isArray(data) ? data.map(String) : [];
}
