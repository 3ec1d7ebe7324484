import { resolve } from 'node:path';
import { z } from 'zod';
import { brokers, choice, readableFile, setting, text, urls } from './setting.js';

/** TLS and SASL of connections to Kafka, the same for every app and command. */
export const kafkaSecuritySettings = {
  KAFKA_TLS: choice(['off', 'on'], {
    description: 'Whether connections to Kafka use TLS. The broker’s certificate and host name are always verified.',
    fallback: 'off',
  }),
  KAFKA_TLS_CA_FILE: readableFile({
    description:
      'The certificates (PEM) of the authorities that sign the brokers’ certificates. Not set: those that Node trusts. The three KAFKA_TLS_…_FILE files are read for each connection.',
    example: '/etc/kafka/ca.pem',
  }).optional(),
  KAFKA_TLS_CERT_FILE: readableFile({
    description: 'The client certificate (PEM, with its intermediate certificates), if the brokers require one.',
    example: '/etc/kafka/client.pem',
  }).optional(),
  KAFKA_TLS_KEY_FILE: readableFile({
    description: 'The private key (PEM, not encrypted) of the client certificate.',
    example: '/etc/kafka/client.key',
  }).optional(),
  KAFKA_SASL_MECHANISM: choice(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'], {
    description: 'How the process authenticates to Kafka. plain and oauthbearer need KAFKA_TLS=on. Not set: no SASL.',
    example: 'scram-sha-512',
  }).optional(),
  KAFKA_SASL_USERNAME: text(/^[^\0]{1,1024}$/, 'a user name', {
    description: 'The user of plain and scram-sha-….',
    example: 'carbon',
  }).optional(),
  KAFKA_SASL_PASSWORD: password('The password of plain and scram-sha-….'),
  KAFKA_SASL_TOKEN_FILE: setting(
    z.string().transform((path) => resolve(path)),
    {
      description:
        'The file that holds the token of oauthbearer, of at most 64 KiB; read for each authentication, so that a token can be replaced while the process runs.',
      example: '/var/run/secrets/kafka/token',
    },
  ).optional(),
  KAFKA_SASL_TOKEN_COMMAND: text(/\S/, 'a command', {
    description:
      'A shell command that prints the token of oauthbearer within 5 s; run for each authentication. Instead of KAFKA_SASL_TOKEN_FILE.',
    example: 'get-token --audience kafka',
  }).optional(),
};

/** The connection to Kafka. */
export const kafkaSettings = {
  KAFKA_BROKERS: brokers('127.0.0.1:29092'),
  TOPIC_PREFIX: text(/^[A-Za-z0-9._-]{0,64}$/, 'at most 64 letters, digits, dots, dashes and underscores', {
    description: 'Prefix of every topic and consumer group, so that systems can share a Kafka.',
    fallback: '',
  }),
  ...kafkaSecuritySettings,
};

/** The parsed settings of Kafka. */
export type KafkaConfig = Readonly<z.output<z.ZodObject<typeof kafkaSettings>>>;

/** Credentials and TLS of connections to OpenSearch. */
export const openSearchSecuritySettings = {
  OPENSEARCH_USERNAME: text(/^[^\0:]{1,256}$/, 'a user name without a colon', {
    description: 'The user at OpenSearch, instead of one in OPENSEARCH_URL.',
    example: 'carbon',
  }).optional(),
  OPENSEARCH_PASSWORD: password('The password of OPENSEARCH_USERNAME.'),
  OPENSEARCH_CA_FILE: readableFile({
    description:
      'The certificates (PEM) of the authorities that sign OpenSearch’s certificates, for https. Not set: those that Node trusts.',
    example: '/etc/opensearch/ca.pem',
  }).optional(),
  OPENSEARCH_CERT_FILE: readableFile({
    description: 'The client certificate (PEM), if OpenSearch requires one.',
    example: '/etc/opensearch/client.pem',
  }).optional(),
  OPENSEARCH_KEY_FILE: readableFile({
    description: 'The private key (PEM, not encrypted) of the client certificate.',
    example: '/etc/opensearch/client.key',
  }).optional(),
};

/** The connection to OpenSearch. */
export const openSearchSettings = {
  OPENSEARCH_URL: urls(['http', 'https'], {
    description:
      'The URL of OpenSearch; several nodes of one cluster separated by commas, used in turn. https:// for TLS: certificate and host name are verified.',
    fallback: 'http://127.0.0.1:29200',
    secret: true,
  }),
  ...openSearchSecuritySettings,
};

/** The parsed settings of OpenSearch. */
export type OpenSearchConfig = Readonly<z.output<z.ZodObject<typeof openSearchSettings>>>;

function password(description: string) {
  const schema = z.string().max(4096, { error: 'must have at most 4096 characters' });
  return setting(schema, { description, secret: true }).optional();
}
