import { kafkaSettings, secretList, setting, whole } from '@carbon/config';
import { z } from 'zod';
import { PORTS } from './ports.js';

const optional = (description: string, example: string) => setting(z.string(), { description, example }).optional();
const portSetting = (name: keyof typeof PORTS, what: string) =>
  whole(1, 65_535, {
    description: `The port on which \`npm start\` lets ${what} listen.`,
    fallback: String(PORTS[name].port),
  });

/** The settings of `npm start` and `npm run dev`. What else is set goes on to the apps. */
export const launcherSettings = z.object({
  GATEWAY_PORT: portSetting('GATEWAY_PORT', 'the gateway'),
  OFFSETS_PORT: portSetting('OFFSETS_PORT', 'the offsets service'),
  CATALOG_PORT: portSetting('CATALOG_PORT', 'the catalog'),
  KAFKA_PORT: portSetting('KAFKA_PORT', 'Kafka'),
  KAFKA_CONTROLLER_PORT: portSetting('KAFKA_CONTROLLER_PORT', 'Kafka’s controller'),
  OPENSEARCH_PORT: portSetting('OPENSEARCH_PORT', 'OpenSearch'),
  OPENSEARCH_TRANSPORT_PORT: portSetting('OPENSEARCH_TRANSPORT_PORT', 'OpenSearch’s transport'),
  POSTGRES_PORT: portSetting('POSTGRES_PORT', 'PostgreSQL'),
  KAFKA_BROKERS: optional('A Kafka that runs already, to use instead of starting one.', 'kafka.example:9092'),
  OPENSEARCH_URL: optional(
    'An OpenSearch that runs already, to use instead of starting one.',
    'http://search.example:9200',
  ),
  DATABASE_URL: optional(
    'A PostgreSQL database that is there already, to use instead of starting a server.',
    'postgresql://carbon@db.example/carbon',
  ),
  TOPIC_PREFIX: kafkaSettings.TOPIC_PREFIX,
  INDEX_PREFIX: setting(z.string().regex(/^[a-z0-9-]{0,64}$/, { error: 'must be at most 64 of a-z, 0-9 and dashes' }), {
    description: 'Put before the name of every index, so that systems can share an OpenSearch.',
    fallback: '',
  }),
  ID_SECRETS: secretList('What makes ids provable; made at the first start when not set.').optional(),
  IDEMPOTENCY_SECRETS: secretList('What ids are derived with; made at the first start when not set.').optional(),
  CURSOR_SECRETS: secretList('What cursors are sealed with; made at the first start when not set.').optional(),
});

/** The settings of the launcher as read. */
export type LauncherSettings = Readonly<z.output<typeof launcherSettings>>;
