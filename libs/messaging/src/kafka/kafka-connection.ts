import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { KafkaConfig } from '@carbon/config';
import type { Mechanism, SASLOptions } from 'kafkajs';
import type { TokenSource } from './bearer-token.js';
import type { KafkaSettings } from './create-kafka.js';
import { oauthBearer } from './oauth-bearer.js';

/** How Kafka is reached, from the settings that every app and command shares. */
export function kafkaConnection(config: KafkaConfig): Pick<KafkaSettings, 'brokers' | 'topicPrefix' | 'ssl' | 'sasl'> {
  const { KAFKA_BROKERS: brokers, TOPIC_PREFIX: topicPrefix } = config;
  return { brokers, topicPrefix, ssl: tlsOf(config), sasl: saslOf(config) };
}

/** Getters, because each connection copies them: a renewed certificate needs no restart. */
function tlsOf(config: KafkaConfig): ConnectionOptions | undefined {
  if (config.KAFKA_TLS === 'off') return undefined;
  const { KAFKA_TLS_CA_FILE: ca, KAFKA_TLS_CERT_FILE: cert, KAFKA_TLS_KEY_FILE: key } = config;
  const options: ConnectionOptions = { rejectUnauthorized: true, minVersion: 'TLSv1.2' };
  for (const [name, file] of Object.entries({ ca, cert, key })) {
    if (file !== undefined) Object.defineProperty(options, name, { enumerable: true, get: () => readFileSync(file) });
  }
  return options;
}

function saslOf(config: KafkaConfig): SASLOptions | Mechanism | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username = '', KAFKA_SASL_PASSWORD = '' } = config;
  if (mechanism === undefined) return undefined;
  if (mechanism !== 'oauthbearer') return { mechanism, username, password: KAFKA_SASL_PASSWORD } as SASLOptions;
  return oauthBearer(tokenSource(config));
}

function tokenSource({ KAFKA_SASL_TOKEN_FILE: file, KAFKA_SASL_TOKEN_COMMAND: command }: KafkaConfig): TokenSource {
  if (file !== undefined) return { file };
  return { command: command ?? '' };
}
