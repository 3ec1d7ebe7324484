import {
  brokers,
  choice,
  indexSettings,
  integer,
  kafkaSecuritySettings,
  kafkaSettings,
  openSearchSecuritySettings,
  secretList,
  text,
  url,
  urls,
} from '@carbon/config';
import { z } from 'zod';
import { PORTS } from './ports.js';

const portSetting = (name: keyof typeof PORTS, what: string) =>
  integer(1, 65_535, {
    description: `The port of ${what}.`,
    fallback: String(PORTS[name].port),
  });

/** The settings of `npm start` and `npm run dev`. Other variables are passed on to the apps. */
export const launcherSettings = z.object({
  GATEWAY_PORT: portSetting('GATEWAY_PORT', 'the gateway'),
  OFFSETS_PORT: portSetting('OFFSETS_PORT', 'the offsets service'),
  CATALOG_PORT: portSetting('CATALOG_PORT', 'the catalog'),
  KAFKA_PORT: portSetting('KAFKA_PORT', 'Kafka'),
  KAFKA_CONTROLLER_PORT: portSetting('KAFKA_CONTROLLER_PORT', 'Kafka’s controller'),
  OPENSEARCH_PORT: portSetting('OPENSEARCH_PORT', 'OpenSearch'),
  OPENSEARCH_TRANSPORT_PORT: portSetting('OPENSEARCH_TRANSPORT_PORT', 'OpenSearch’s transport'),
  POSTGRES_PORT: portSetting('POSTGRES_PORT', 'PostgreSQL'),
  KAFKA_BROKERS: brokers().optional().meta({
    description: 'A running Kafka, to use instead of starting one.',
    example: 'kafka.example:9092',
  }),
  ...kafkaSecuritySettings,
  OPENSEARCH_URL: urls(['http', 'https'], {
    description: 'A running OpenSearch, to use instead of starting one.',
    example: 'http://search.example:9200',
    secret: true,
  }).optional(),
  ...openSearchSecuritySettings,
  DATABASE_URL: url(['postgresql', 'postgres'], {
    description: 'An existing PostgreSQL database (18 or newer), to use instead of starting a server.',
    example: 'postgresql://carbon:password@db.example/carbon',
    secret: true,
  }).optional(),
  DATABASE_POOLER: choice(['none', 'transaction'], {
    description: 'Whether DATABASE_URL is the address of a PgBouncer in transaction mode.',
    fallback: 'none',
  }),
  DATABASE_MIGRATION_URL: url(['postgresql', 'postgres'], {
    description: 'The same database for migrations, directly; must be set with DATABASE_POOLER=transaction.',
    example: 'postgresql://owner:password@db.example/carbon',
    secret: true,
  }).optional(),
  TOPIC_PREFIX: kafkaSettings.TOPIC_PREFIX,
  INDEX_PREFIX: indexSettings.INDEX_PREFIX,
  ID_SECRETS: secretList('The secrets that sign ids; generated at the first start if not set.').optional(),
  IDEMPOTENCY_SECRETS: secretList('The secrets that derive ids; generated at the first start if not set.').optional(),
  CURSOR_SECRETS: secretList('The secrets that sign cursors; generated at the first start if not set.').optional(),
  API_KEYS_FILE: text(/^[^\0]+$/, 'a path', {
    description:
      'The file of API keys, created by `npm run keys`, which finds it once the system has started. Not set: the gateway is open, requires no key, and refuses NODE_ENV=production.',
    example: '.local/keys.json',
  }).optional(),
  INTERNAL_SECRETS: secretList(
    'The secrets with which the apps authenticate to each other; generated at the first start if not set.',
  ).optional(),
});

/** The parsed settings of the launcher. */
export type LauncherSettings = Readonly<z.output<typeof launcherSettings>>;
