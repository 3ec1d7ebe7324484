import { APPS, type AppName, appPart } from '../parts/app.js';
import { compilerPart } from '../parts/compiler.js';
import { libraryStep, migrationsStep, topicsStep } from '../parts/steps.js';
import { freePort } from '../ports.js';
import type { Part } from '../supervise/part.js';
import type { SystemAddresses } from './addresses.js';
import type { SystemPlan } from './options.js';
import type { Secrets } from './secrets.js';

const PORT_OF = { gateway: 'GATEWAY_PORT', offsets: 'OFFSETS_PORT', catalog: 'CATALOG_PORT' } as const;

/** What each app waits for. The gateway comes last: what it accepts, the others must be able to answer for. */
const AFTER: Readonly<Record<AppName, readonly string[]>> = {
  offsets: ['migrations', 'topics', 'library', 'compiler'],
  catalog: ['opensearch', 'topics', 'library', 'compiler'],
  gateway: ['offsets', 'catalog', 'compiler'],
};

/** Everything that comes after the engines, as a list: steps, then apps. */
export async function systemParts(plan: SystemPlan, urls: SystemAddresses, secrets: Secrets): Promise<readonly Part[]> {
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
    parts.push(
      appPart({ app, name, after: AFTER[app], port, environment: settings, reload: plan.reload, readyWithinMs }),
    );
  }
  return parts;
}

/** What each app is told, and no more: the secrets go only to the one that needs them. */
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
      // The owner's address is for migrations alone.
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
      return { ...everyApp, OFFSETS_URL: urls.offsets, CATALOG_URL: urls.catalog, ID_SECRETS, IDEMPOTENCY_SECRETS };
  }
}

/** How Kafka is reached: the settings that every app and command shares. */
function kafkaEnvironment(plan: SystemPlan, urls: SystemAddresses): Record<string, string> {
  return { ...plan.engineSettings.kafka, KAFKA_BROKERS: urls.kafkaBrokers, TOPIC_PREFIX: plan.topicPrefix };
}
