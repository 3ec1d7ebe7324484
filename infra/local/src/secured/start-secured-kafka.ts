import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaProgram } from '../engines/engine-parts.js';
import { type KafkaOptions, kafkaPart } from '../parts/kafka.js';
import { freePort } from '../ports.js';
import { startParts } from '../supervise/running-parts.js';
import type { Certificate, CertificateAuthority } from './certificate.js';

/** The one user of the secured listeners. */
export const KAFKA_USER = { name: 'carbon', password: 'a-password-for-tests' } as const;

/** The ports of the secured listeners, all on localhost. */
export interface SecuredPorts {
  /** TLS with SASL: every mechanism. */
  readonly sasl: number;
  /** TLS that requires a client certificate. */
  readonly mutual: number;
  /** TLS with a certificate that has expired. */
  readonly expired: number;
  /** TLS with a certificate for another host name. */
  readonly misnamed: number;
}

const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'] as const;
const LOGIN = 'org.apache.kafka.common.security';
/** kafkajs authenticates again ten seconds before the end of a session, so after one second. */
const TOKEN_SESSION_MS = 11_000;

/** Returns the broker settings of the secured listeners besides its plain one; writes their certificates into `dir`. */
export function securedListeners(
  dir: string,
  authority: CertificateAuthority,
  plain: { readonly port: number; readonly controllerPort: number },
  ports: SecuredPorts,
): Pick<KafkaOptions, 'properties' | 'formatArguments'> {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'ca.pem'), authority.certificate);
  const good = authority.issue({ name: 'kafka', hosts: ['localhost', '127.0.0.1'] });
  const certificates: Record<keyof SecuredPorts, Certificate> = {
    sasl: good,
    mutual: good,
    expired: authority.issue({ name: 'kafka', hosts: ['localhost'], days: -1 }),
    misnamed: authority.issue({ name: 'kafka', hosts: ['kafka.example'] }),
  };
  const names = Object.keys(certificates) as (keyof SecuredPorts)[];
  const addresses = names.map((name) => `${name.toUpperCase()}://localhost:${ports[name]}`);
  const plainAddress = `PLAINTEXT://127.0.0.1:${plain.port}`;
  const protocols = names.map((name) => `${name.toUpperCase()}:${name === 'sasl' ? 'SASL_SSL' : 'SSL'}`);
  return {
    properties: {
      listeners: [plainAddress, `CONTROLLER://127.0.0.1:${plain.controllerPort}`, ...addresses].join(),
      'advertised.listeners': [plainAddress, ...addresses].join(),
      'listener.security.protocol.map': ['CONTROLLER:PLAINTEXT', 'PLAINTEXT:PLAINTEXT', ...protocols].join(),
      'inter.broker.listener.name': 'PLAINTEXT',
      ...Object.assign({}, ...names.map((name) => tlsProperties(dir, name, certificates[name]))),
      'listener.name.mutual.ssl.client.auth': 'required',
      ...saslProperties(),
    },
    formatArguments: ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${KAFKA_USER.name},password=${KAFKA_USER.password}]`,
    ]),
  };
}

function tlsProperties(dir: string, name: string, { certificate, key }: Certificate): Record<string, string> {
  const file = join(dir, `${name}.pem`);
  writeFileSync(file, key + certificate, { mode: 0o600 });
  const prefix = `listener.name.${name}.ssl`;
  return {
    [`${prefix}.keystore.type`]: 'PEM',
    [`${prefix}.keystore.location`]: file,
    [`${prefix}.truststore.type`]: 'PEM',
    [`${prefix}.truststore.location`]: join(dir, 'ca.pem'),
  };
}

function saslProperties(): Record<string, string | number> {
  const { name, password } = KAFKA_USER;
  const scram = `${LOGIN}.scram.ScramLoginModule required;`;
  const jaas = {
    plain: `${LOGIN}.plain.PlainLoginModule required user_${name}="${password}";`,
    'scram-sha-256': scram,
    'scram-sha-512': scram,
    // Unsigned tokens, because only their transport is tested.
    oauthbearer: `${LOGIN}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
  };
  return {
    'listener.name.sasl.sasl.enabled.mechanisms': MECHANISMS.join(),
    'listener.name.sasl.oauthbearer.connections.max.reauth.ms': TOKEN_SESSION_MS,
    ...Object.fromEntries(
      Object.entries(jaas).map(([mechanism, config]) => [`listener.name.sasl.${mechanism}.sasl.jaas.config`, config]),
    ),
  };
}

/** A running Kafka with secured listeners. */
export interface SecuredKafka {
  readonly ports: SecuredPorts & { readonly plain: number };
  /** The authority's certificate, and a client's certificate with its key. */
  readonly files: { readonly ca: string; readonly certificate: string; readonly key: string };
  /** The user's settings: SASL_SSL, SCRAM-SHA-512. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts one broker with a plain listener and one listener for each kind of security, in its own folder. */
export async function startSecuredKafka(dir: string, authority: CertificateAuthority): Promise<SecuredKafka> {
  const plain = { port: await freePort(), controllerPort: await freePort() };
  const ports: SecuredPorts = {
    sasl: await freePort(),
    mutual: await freePort(),
    expired: await freePort(),
    misnamed: await freePort(),
  };
  mkdirSync(dir, { recursive: true });
  const broker = kafkaPart({
    ...(await kafkaProgram()),
    ...plain,
    ...securedListeners(join(dir, 'tls'), authority, plain, ports),
    dir: join(dir, 'kafka'),
    shortLived: true,
  });
  const running = await startParts(dir, [broker]);
  const files = writeClientFiles(dir, authority);
  const environment = {
    KAFKA_BROKERS: `localhost:${ports.sasl}`,
    KAFKA_TLS: 'on',
    KAFKA_TLS_CA_FILE: files.ca,
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: KAFKA_USER.name,
    KAFKA_SASL_PASSWORD: KAFKA_USER.password,
  };
  return { ports: { ...ports, plain: plain.port }, files, environment, stop: () => running.stop() };
}

function writeClientFiles(dir: string, authority: CertificateAuthority): SecuredKafka['files'] {
  const files = {
    ca: join(dir, 'ca.pem'),
    certificate: join(dir, 'client.pem'),
    key: join(dir, 'client.key'),
  };
  const client = authority.issue({ name: KAFKA_USER.name });
  writeFileSync(files.ca, authority.certificate);
  writeFileSync(files.certificate, client.certificate);
  writeFileSync(files.key, client.key, { mode: 0o600 });
  return files;
}
