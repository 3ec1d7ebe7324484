import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey, SCOPES, secretDigest, writeKeyFile } from '@carbon/auth';
import { type AppName, type AppOptions, type RunningSystem, temporaryDir } from '@carbon/local';
import { STARTER_LIBRARY } from './library.js';
import { type FreshDatabase, freshDatabase, type Stage } from './stage.js';

/** More than any gateway can serve, so that every request is counted and none refused. */
const PLAN = { perSecond: 1_000_000, burst: 1_000_000 } as const;

/** Writes a key file into a folder: one account with one key, whose plan is counted. Returns the key and the path. */
export function keyOfBench(dir: string): { readonly key: string; readonly file: string } {
  const { id, secret, text } = newKey();
  const file = join(dir, 'keys.json');
  const entry = {
    id,
    account: 'bench',
    name: 'load',
    scopes: [...SCOPES],
    plan: 'bench',
    sha256: secretDigest(secret).toString('hex'),
    createdAt: new Date().toISOString(),
  };
  writeFileSync(file, writeKeyFile({ version: 1, plans: { bench: PLAN }, keys: [entry] }), { mode: 0o600 });
  return { key: text, file };
}

/** Apps with a database, topics and indices of their own on the engines of a stage. */
export interface WholeSystem {
  readonly system: RunningSystem;
  readonly database: FreshDatabase;
  /** An API key for its gateways, unless `apps` has another environment for them. Its limits count every request and refuse none. */
  readonly key: string;
}

/** How the apps are started. */
export interface WholeSystemOptions {
  /** One process of each by default. An `environment` replaces production mode and, for the gateway, the key file. */
  readonly apps?: Readonly<Partial<Record<AppName, AppOptions>>>;
  /** The file of the assets to publish, or false for none; the starter library by default. */
  readonly library?: string | false;
  /** A port of this machine through which the apps reach PostgreSQL; PostgreSQL's own by default. */
  readonly databasePort?: number;
}

/** Starts apps, in production mode unless `apps` has other environments, and removes everything after the work. */
export async function withSystem<T>(
  stage: Stage,
  { apps = {}, library = STARTER_LIBRARY, databasePort }: WholeSystemOptions,
  signal: AbortSignal,
  work: (running: WholeSystem) => Promise<T>,
): Promise<T> {
  const database = await freshDatabase(stage.engines.databaseUrl, signal);
  const prefix = stage.freshPrefix();
  using folder = await temporaryDir();
  try {
    await stage.makeTopics(prefix);
    if (library !== false) await stage.fillTopic(prefix, library);
    const { key, file } = keyOfBench(folder.dir);
    const environment = { NODE_ENV: 'production' };
    const databaseUrl = new URL(database.url);
    if (databasePort !== undefined) databaseUrl.port = String(databasePort);
    const system = await stage.start({
      topicPrefix: prefix,
      indexPrefix: prefix,
      engines: { ...stage.engines, databaseUrl: databaseUrl.href },
      apps: {
        offsets: { environment, ...apps.offsets },
        catalog: { environment, ...apps.catalog },
        gateway: { environment: { ...environment, API_KEYS_FILE: file }, ...apps.gateway },
      },
    });
    try {
      return await work({ system, database, key });
    } finally {
      await system.stop();
    }
  } finally {
    await database.drop();
    await stage.clear(prefix);
  }
}
