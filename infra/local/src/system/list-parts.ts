import { resolve } from 'node:path';
import { CHECKOUT } from '../checkout.js';
import { ENGINES, type EngineName, engineParts } from '../engines/engine-parts.js';
import { APPS, type AppName, appPart, compilerPart } from '../parts/app.js';
import { libraryStep, migrationsStep, topicsStep } from '../parts/steps.js';
import { freePort, PORTS, type PortSetting } from '../ports.js';
import type { Part, ProcessPart } from '../supervise/part.js';
import { addressesOf, keptSecrets, type Secrets, type SystemAddresses } from './addresses.js';
import type { SystemPlan } from './options.js';

/** The built console. */
const CONSOLE = resolve(CHECKOUT, 'apps/console/dist');

const PORT_OF = { gateway: 'GATEWAY_PORT', offsets: 'OFFSETS_PORT', catalog: 'CATALOG_PORT' } as const;

/** The dependencies of each app. The gateway does not wait for the catalog, which takes longest to become ready, but stops before it. */
const ORDER: Readonly<Record<AppName, Pick<ProcessPart, 'after' | 'stopsBefore'>>> = {
  offsets: { after: ['migrations', 'topics', 'library', 'compiler'] },
  catalog: { after: ['opensearch', 'topics', 'library', 'compiler'] },
  gateway: { after: ['offsets', 'compiler'], stopsBefore: ['catalog'] },
};

/** Returns everything after the engines, as a list: steps, then apps. */
async function systemParts(plan: SystemPlan, urls: SystemAddresses, secrets: Secrets): Promise<readonly Part[]> {
  const { databaseUrl } = urls;
  const { dir, library } = plan;
  const kafka = kafkaEnvironment(plan, urls);
  const kafkaName = plan.engines.kafkaBrokers ?? 'own';
  const parts: Part[] = [
    migrationsStep({ ...plan.engineSettings.postgres, DATABASE_URL: databaseUrl }),
    topicsStep(kafka),
  ];
  if (library !== false) parts.push(libraryStep({ file: library, dir, environment: kafka, kafkaName }));
  if (plan.reload) parts.push(compilerPart());
  for (const app of APPS) parts.push(...(await instancesOf(app, plan, environmentOf(app, plan, urls, secrets))));
  return parts;
}

async function instancesOf(
  app: AppName,
  plan: SystemPlan,
  given: Readonly<Record<string, string>>,
): Promise<readonly Part[]> {
  const { instances = 1, environment = {}, readyWithinMs } = plan.apps[app] ?? {};
  const parts: Part[] = [];
  for (let nth = 1; nth <= instances; nth += 1) {
    const name = nth === 1 ? app : `${app}-${nth}`;
    const port = nth === 1 ? plan.ports[PORT_OF[app]] : await freePort();
    const settings = { ...given, ...environment };
    parts.push(appPart({ app, name, ...ORDER[app], port, environment: settings, reload: plan.reload, readyWithinMs }));
  }
  return parts;
}

/** The launcher's settings for each app; of the secrets that it generates, only those that the app needs. */
function environmentOf(
  app: AppName,
  plan: SystemPlan,
  urls: SystemAddresses,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  const { ID_SECRETS, IDEMPOTENCY_SECRETS, CURSOR_SECRETS, INTERNAL_SECRETS } = secrets;
  const everyApp = {
    HOST: '127.0.0.1',
    ...kafkaEnvironment(plan, urls),
    INTERNAL_SECRETS,
  };
  switch (app) {
    case 'offsets': {
      // The owner's address is only for migrations.
      const { DATABASE_MIGRATION_URL: _, ...database } = plan.engineSettings.postgres ?? {};
      return { ...everyApp, ...database, DATABASE_URL: urls.databaseUrl, CURSOR_SECRETS };
    }
    case 'catalog':
      return {
        ...everyApp,
        ...plan.engineSettings.opensearch,
        OPENSEARCH_URL: urls.opensearchUrl,
        INDEX_PREFIX: plan.indexPrefix,
        CURSOR_SECRETS,
      };
    case 'gateway':
      return {
        ...everyApp,
        OFFSETS_URL: urls.offsets,
        CATALOG_URL: urls.catalog,
        CONSOLE_DIR: CONSOLE,
        ID_SECRETS,
        IDEMPOTENCY_SECRETS,
      };
  }
}

/** The settings of Kafka that every app and command shares. */
function kafkaEnvironment(plan: SystemPlan, urls: SystemAddresses): Record<string, string> {
  return { ...plan.engineSettings.kafka, KAFKA_BROKERS: urls.kafkaBrokers, TOPIC_PREFIX: plan.topicPrefix };
}

/** A system as a list of parts, and the addresses at which it is reached. */
export interface PartList {
  readonly parts: readonly Part[];
  readonly urls: SystemAddresses;
  /** The content of the system's `environment` file. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Returns the whole system as a list: engines, steps, apps. Downloads and finds what the engines need. */
export async function listParts(plan: SystemPlan): Promise<PartList> {
  const secrets = { ...keptSecrets(plan.dir), ...plan.secrets };
  const own = await engineParts({
    ...plan,
    which: enginesToStart(plan),
    databasePassword: secrets.POSTGRES_PASSWORD,
    fetch: { progress: plan.onFetchProgress, signal: plan.signal },
  });
  const urls = addressesOf(plan.ports, { ...plan.engines, ...own.addresses });
  const after = await systemParts(plan, urls, secrets);
  return { parts: [...own.parts, ...after], urls, environment: systemEnvironment(plan, urls, secrets) };
}

/** The settings of the ports that this system uses. */
export function portsUsed(plan: SystemPlan): readonly PortSetting[] {
  const apps = APPS.filter((app) => plan.apps[app]?.instances !== 0);
  const listening: readonly string[] = [...enginesToStart(plan), ...apps];
  return (Object.keys(PORTS) as PortSetting[]).filter((setting) => listening.includes(PORTS[setting].of));
}

const ADDRESS = { kafka: 'kafkaBrokers', opensearch: 'opensearchUrl', postgres: 'databaseUrl' } as const;

function enginesToStart({ engines }: SystemPlan): readonly EngineName[] {
  return ENGINES.filter((engine) => engines[ADDRESS[engine]] === undefined);
}

function systemEnvironment(plan: SystemPlan, urls: SystemAddresses, secrets: Secrets): Record<string, string> {
  const keyFile = plan.apps.gateway?.environment?.API_KEYS_FILE;
  const { POSTGRES_PASSWORD: _, ...lists } = secrets;
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
    ...lists,
    // Otherwise `npm run keys` would change a file that is not the gateway's.
    ...(keyFile !== undefined && { API_KEYS_FILE: resolve(CHECKOUT, keyFile) }),
  };
}
