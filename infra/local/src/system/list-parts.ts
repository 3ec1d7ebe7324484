import { resolve } from 'node:path';
import { CHECKOUT } from '../checkout.js';
import { ENGINES, type EngineName, engineParts } from '../engines/engine-parts.js';
import { APPS } from '../parts/app.js';
import { PORTS, type PortSetting } from '../ports.js';
import type { Part } from '../supervise/part.js';
import { addressesOf, type SystemAddresses } from './addresses.js';
import type { SystemPlan } from './options.js';
import { keptSecrets, type Secrets } from './secrets.js';
import { systemParts } from './system-parts.js';

/** A system as a list of parts, and what others need to reach it. */
export interface PartList {
  readonly parts: readonly Part[];
  readonly urls: SystemAddresses;
  /** The content of the folder's `environment` file. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The whole system as a list: engines, steps, apps. Fetches and finds what the engines need. */
export async function listParts(plan: SystemPlan): Promise<PartList> {
  const secrets = { ...keptSecrets(plan.dir), ...plan.secrets };
  const own = await engineParts({
    ...plan,
    which: enginesToStart(plan),
    database: 'carbon',
    databasePassword: secrets.POSTGRES_PASSWORD,
    fetch: { progress: plan.fetching, signal: plan.signal },
  });
  const urls = addressesOf(plan.ports, { ...plan.engines, ...own.addresses });
  const after = await systemParts(plan, urls, secrets);
  return { parts: [...own.parts, ...after], urls, environment: environmentOf(plan, urls, secrets) };
}

/** The settings of the ports that this system will listen on. */
export function portsUsed(plan: SystemPlan): readonly PortSetting[] {
  const apps = APPS.filter((app) => plan.apps[app]?.instances !== 0);
  const listening: readonly string[] = [...enginesToStart(plan), ...apps];
  return (Object.keys(PORTS) as PortSetting[]).filter((setting) => listening.includes(PORTS[setting].of));
}

const ADDRESS = { kafka: 'kafkaBrokers', opensearch: 'opensearchUrl', postgres: 'databaseUrl' } as const;

function enginesToStart({ engines }: SystemPlan): readonly EngineName[] {
  return ENGINES.filter((engine) => engines[ADDRESS[engine]] === undefined);
}

function environmentOf(plan: SystemPlan, urls: SystemAddresses, secrets: Secrets): Record<string, string> {
  const keyFile = plan.apps.gateway?.environment?.API_KEYS_FILE;
  return {
    ...plan.engineSettings.kafka,
    ...plan.engineSettings.postgres,
    ...plan.engineSettings.opensearch,
    KAFKA_BROKERS: urls.kafkaBrokers,
    DATABASE_URL: urls.databaseUrl,
    OPENSEARCH_URL: urls.opensearchUrl,
    GATEWAY_URL: urls.gateway,
    OFFSETS_URL: urls.offsets,
    CATALOG_URL: urls.catalog,
    TOPIC_PREFIX: plan.topicPrefix,
    INDEX_PREFIX: plan.indexPrefix,
    ID_SECRETS: secrets.ID_SECRETS,
    IDEMPOTENCY_SECRETS: secrets.IDEMPOTENCY_SECRETS,
    CURSOR_SECRETS: secrets.CURSOR_SECRETS,
    INTERNAL_SECRETS: secrets.INTERNAL_SECRETS,
    // Else `npm run keys` would change another file than the one that callers are known by.
    ...(keyFile !== undefined && { API_KEYS_FILE: resolve(CHECKOUT, keyFile) }),
  };
}
