import { join } from 'node:path';
import { CHECKOUT } from '../checkout.js';
import { APPS, type AppName, appPart } from '../parts/app.js';
import { compilerPart } from '../parts/compiler.js';
import { libraryStep, migrationsStep, topicsStep } from '../parts/steps.js';
import { freePort, type Ports } from '../ports.js';
import type { Part } from '../supervise/part.js';
import type { Secrets } from './secrets.js';

/** How one app of the system is run. */
export interface AppOptions {
  /** How many of it; 1 by default, 0 leaves it out. */
  readonly instances?: number;
  /** Settings beyond those the system gives it. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What the steps and apps are made from, once it is known where the engines answer. */
export interface SystemPartsOptions {
  readonly dir: string;
  readonly ports: Ports;
  readonly kafkaBrokers: string;
  readonly kafkaName: string;
  readonly databaseUrl: string;
  readonly opensearchUrl: string;
  readonly topicPrefix: string;
  readonly indexPrefix: string;
  readonly secrets: Secrets;
  readonly apps: Readonly<Partial<Record<AppName, AppOptions>>>;
  /** The asset library to publish first, or false for none. */
  readonly library: string | false;
  readonly reload: boolean;
}

/** The asset library of the checkout. */
export const LIBRARY = join(CHECKOUT, 'infra/data/assets.ndjson');

const PORT_OF = { gateway: 'GATEWAY_PORT', offsets: 'OFFSETS_PORT', catalog: 'CATALOG_PORT' } as const;

/** What each app waits for. The gateway comes last: what it accepts, the others must be able to answer for. */
const AFTER: Readonly<Record<AppName, readonly string[]>> = {
  offsets: ['migrations', 'topics', 'library', 'compiler'],
  catalog: ['opensearch', 'topics', 'library', 'compiler'],
  gateway: ['offsets', 'catalog', 'compiler'],
};

/** Everything that comes after the engines, as a list: steps, then apps. */
export async function systemParts(options: SystemPartsOptions): Promise<readonly Part[]> {
  const parts: Part[] = [migrationsStep(options.databaseUrl), topicsStep(options.kafkaBrokers, options.topicPrefix)];
  if (options.library !== false) parts.push(libraryStep({ ...options, file: options.library }));
  if (options.reload) parts.push(compilerPart());
  for (const app of APPS) parts.push(...(await instancesOf(app, options)));
  return parts;
}

async function instancesOf(app: AppName, options: SystemPartsOptions): Promise<readonly Part[]> {
  const { instances = 1, environment = {} } = options.apps[app] ?? {};
  const parts: Part[] = [];
  for (let nth = 1; nth <= instances; nth += 1) {
    const name = nth === 1 ? app : `${app}-${nth}`;
    const port = nth === 1 ? options.ports[PORT_OF[app]] : await freePort();
    const settings = { ...environmentOf(app, options), ...environment };
    parts.push(appPart({ app, name, after: AFTER[app], port, environment: settings, reload: options.reload }));
  }
  return parts;
}

/** What each app is told, and no more: the secrets go only to the one that needs them. */
function environmentOf(app: AppName, options: SystemPartsOptions): Record<string, string> {
  const { secrets, ports, topicPrefix, indexPrefix } = options;
  const everyApp = { HOST: '127.0.0.1', KAFKA_BROKERS: options.kafkaBrokers, TOPIC_PREFIX: topicPrefix };
  if (app === 'offsets') {
    return { ...everyApp, DATABASE_URL: options.databaseUrl, CURSOR_SECRETS: secrets.CURSOR_SECRETS };
  }
  if (app === 'catalog') {
    const { CURSOR_SECRETS } = secrets;
    return { ...everyApp, OPENSEARCH_URL: options.opensearchUrl, INDEX_PREFIX: indexPrefix, CURSOR_SECRETS };
  }
  return {
    ...everyApp,
    OFFSETS_URL: loopback(ports.OFFSETS_PORT),
    CATALOG_URL: loopback(ports.CATALOG_PORT),
    ID_SECRETS: secrets.ID_SECRETS,
    IDEMPOTENCY_SECRETS: secrets.IDEMPOTENCY_SECRETS,
  };
}

/** The address of a port of this machine. */
export function loopback(port: number): string {
  return `http://127.0.0.1:${port}`;
}
