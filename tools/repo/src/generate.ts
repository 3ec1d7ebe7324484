import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SettingsSchema } from '@carbon/config';
import type { MetricTable } from '@carbon/observability';
import { Command } from 'commander';
import { apiTypes, assetFields, problemClasses } from './client-files.js';
import { responseShapes } from './client-shapes.js';
import { asyncapiDocument, asyncapiYaml } from './events/asyncapi.js';
import { eventParts, topicTable, withEventSections } from './events/page-parts.js';
import { fieldTable, operatorTable, problemLists, scopeTable, withGeneratedSections } from './generated-sections.js';
import { type ConfigSection, envExample, metricTables, settingTables } from './reference-tables.js';
import { ROOT, textOf } from './tracked-files.js';

interface SettingsSource extends Omit<ConfigSection, 'schema'> {
  /** The built file, because the apps export nothing to one another. */
  readonly module: string;
  /** The name of the schema that it exports. */
  readonly name: string;
}

/** Where each app and command declares its settings. */
const SETTINGS: readonly SettingsSource[] = [
  {
    title: 'npm start',
    module: 'infra/local/dist/settings.js',
    name: 'launcherSettings',
    intro:
      'Other variables, such as `DATABASE_POOL`, are passed on to the apps. `OPENSEARCH_JAVA_HOME` and `JAVA_HOME` name the JDK.',
  },
  {
    title: 'commands',
    module: 'libs/config/dist/index.js',
    name: 'commandSettings',
    intro:
      'Commands that call the gateway also read `GATEWAY_URL`, `API_KEY` and `API_KEY_FILE` ([cli.md](cli.md#another-gateway-and-keys)).',
  },
  { title: 'npm run topics', module: 'tools/carbon/dist/topics/settings.js', name: 'topicsSettings' },
  { title: 'gateway', module: 'apps/gateway/dist/gateway.config.js', name: 'gatewaySettings' },
  { title: 'offsets', module: 'apps/offsets/dist/offsets.config.js', name: 'offsetsSettings' },
  { title: 'migrations', module: 'apps/offsets/dist/offsets.config.js', name: 'migrationSettings' },
  { title: 'catalog', module: 'apps/catalog/dist/catalog.config.js', name: 'catalogSettings' },
];

/** Where each app declares its metrics. */
const METRICS = [
  { title: 'gateway', module: 'apps/gateway/dist/gateway.metrics.js', name: 'gatewayMetrics' },
  { title: 'offsets', module: 'apps/offsets/dist/offsets.metrics.js', name: 'offsetsMetrics' },
  { title: 'catalog', module: 'apps/catalog/dist/catalog.metrics.js', name: 'catalogMetrics' },
] as const;

const EVENTS = 'docs/events.md';

/** Returns what a built module exports under a name. */
async function exportOf<T>({ module, name }: { readonly module: string; readonly name: string }): Promise<T> {
  const exported: Readonly<Record<string, T>> = await import(resolve(ROOT, module));
  const value = exported[name];
  if (value === undefined) throw new Error(`${module} does not export ${name}`);
  return value;
}

/** The documents about settings and metrics. */
async function referenceDocuments(): Promise<[string, string][]> {
  const sections = await Promise.all(
    SETTINGS.map(async (source) => ({ ...source, schema: await exportOf<SettingsSchema>(source) })),
  );
  const metrics = await Promise.all(
    METRICS.map(async (source) => ({ ...source, tables: await exportOf<readonly MetricTable[]>(source) })),
  );
  return [
    pageWith('docs/configuration.md', { settings: settingTables(sections) }),
    ['.env.example', envExample(sections)],
    pageWith('docs/metrics.md', { metrics: metricTables(metrics) }),
  ];
}

/** Returns a page with its generated sections. */
function pageWith(file: string, parts: Readonly<Record<string, string>>): [string, string] {
  return [file, withGeneratedSections(textOf(file), parts)];
}

/** Returns the documents about topics and events. */
function eventDocuments(): [string, string][] {
  const golden = (type: string): unknown[] | undefined => {
    const path = `libs/contracts/golden/${type}.json`;
    return existsSync(resolve(ROOT, path)) ? JSON.parse(textOf(path)) : undefined;
  };
  const { version } = JSON.parse(textOf('package.json'));
  return [
    ['docs/asyncapi.yaml', asyncapiYaml(asyncapiDocument(version, golden))],
    [EVENTS, withGeneratedSections(withEventSections(textOf(EVENTS)), eventParts(golden))],
    pageWith('docs/architecture.md', { topics: topicTable() }),
  ];
}

/** The description of the API, as the gateway serves it. */
async function apiDocument(): Promise<string> {
  const module = 'apps/gateway/dist/api-docs/openapi-document.js';
  const openApiDocument = await exportOf<() => object>({ module, name: 'openApiDocument' });
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

/** Every generated file with the text it should have. */
async function generated(): Promise<ReadonlyMap<string, string>> {
  const api = await apiDocument();
  return new Map([
    ['docs/openapi.json', api],
    ['libs/client/src/generated/api.ts', await apiTypes(api)],
    ['libs/client/src/generated/asset-fields.ts', assetFields()],
    ['libs/client/src/generated/problems.ts', problemClasses()],
    ['libs/client/src/generated/shapes.ts', responseShapes(api)],
    ...(await referenceDocuments()),
    pageWith('docs/criteria.md', { fields: fieldTable(), operators: operatorTable() }),
    pageWith('docs/keys.md', { scopes: scopeTable(api) }),
    pageWith(
      'docs/problems/README.md',
      problemLists((code) => textOf(`docs/problems/${code}.md`)),
    ),
    ...eventDocuments(),
  ]);
}

async function generate({ check = false }: { readonly check?: boolean }): Promise<void> {
  for (const [file, text] of await generated()) {
    const upToDate = existsSync(resolve(ROOT, file)) && textOf(file) === text;
    if (check && !upToDate) {
      console.error(`${file} is not what \`npm run generate\` makes: run it and commit the result`);
      process.exitCode = 1;
    }
    if (!check && !upToDate) writeFileSync(resolve(ROOT, file), text);
    console.error(`${file}: ${upToDate ? 'up to date' : check ? 'out of date' : 'written'}`);
  }
}

await new Command('generate')
  .description('Writes the documents that are made from the code.')
  .option('--check', 'write nothing, and exit with 1 when one of them is out of date')
  .action(generate)
  .parseAsync();
