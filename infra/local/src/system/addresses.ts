import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivately } from '../checkout.js';
import type { EngineAddresses } from '../engines/engine-parts.js';
import type { Ports } from '../ports.js';

/** The addresses of a system. */
export interface SystemAddresses {
  readonly gateway: string;
  readonly offsets: string;
  readonly catalog: string;
  readonly kafkaBrokers: string;
  readonly databaseUrl: string;
  readonly opensearchUrl: string;
}

/** Returns the addresses of a system: its apps' by their ports, its engines' as they were given or started. */
export function addressesOf(ports: Ports, engines: EngineAddresses): SystemAddresses {
  const { kafkaBrokers, databaseUrl, opensearchUrl } = engines;
  if (!kafkaBrokers || !databaseUrl || !opensearchUrl) throw new Error('an engine has no address and was not started');
  return {
    gateway: loopback(ports.GATEWAY_PORT),
    offsets: loopback(ports.OFFSETS_PORT),
    catalog: loopback(ports.CATALOG_PORT),
    kafkaBrokers,
    databaseUrl,
    opensearchUrl,
  };
}

/** Returns the URL of a port of this machine. */
export function loopback(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Writes `environment` into the system's folder: all addresses and the secrets, one `NAME=value` a line. The commands
 * of the checkout read it, so that they need no setting while `npm start` runs.
 */
export function writeEnvironmentFile(dir: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quote(value)}`);
  const file = join(dir, 'environment');
  writePrivately(file, `# Written by npm start; contains secrets.\n${lines.join('\n')}\n`);
  return file;
}

/**
 * Quoted if a bare value would be read differently: a # begins a comment, and blanks at the ends are removed. A quote
 * in the value would end it, and within double quotes \n is a line feed.
 */
function quote(value: string): string {
  if (!/[#\s'"`]/.test(value)) return value;
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? '"';
  return `${quote}${value}${quote}`;
}

const secret = z.string().min(32);
const secretsSchema = z.object({
  ID_SECRETS: secret,
  IDEMPOTENCY_SECRETS: secret,
  CURSOR_SECRETS: secret,
  INTERNAL_SECRETS: secret,
  POSTGRES_PASSWORD: secret,
});

/** The secrets of one local system: lists for the apps (here of one secret each), and the database's password. */
export type Secrets = z.infer<typeof secretsSchema>;

/**
 * Returns the secrets in this folder, and creates them (256 random bits each) if there are none yet. They stay the same
 * between runs: another ID_SECRETS would invalidate every issued id.
 */
export function keptSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json');
  const { INTERNAL_SECRETS, ...others } = newSecrets();
  const kept: object = existsSync(file) ? readSecrets(file) : others;
  const secrets = secretsSchema.parse({ INTERNAL_SECRETS, ...kept });
  // A folder of an older checkout lacks them, too; no stored data was created with them.
  if (!('INTERNAL_SECRETS' in kept)) writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

function readSecrets(file: string): object {
  try {
    return secretsSchema.partial({ INTERNAL_SECRETS: true }).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} does not contain the expected secrets; fix it, or remove everything with npm run reset`, {
      cause: error,
    });
  }
}

function newSecrets(): Secrets {
  const names = Object.keys(secretsSchema.shape);
  return Object.fromEntries(names.map((name) => [name, randomBytes(32).toString('base64url')])) as Secrets;
}
