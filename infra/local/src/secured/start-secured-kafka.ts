import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { fetchEngines } from '../engines/fetch.js';
import { findJdk } from '../engines/jdk.js';
import { plainEnvironment } from '../engines/plain-environment.js';
import { kafkaPart } from '../parts/kafka.js';
import { freePort } from '../ports.js';
import { RunningParts } from '../supervise/running-parts.js';
import { type CertificateAuthority } from './certificate.js';
import { KAFKA_USER, type SecuredPorts, securedListeners } from './kafka-listeners.js';

/** A Kafka with secured listeners that runs. */
export interface SecuredKafka {
  readonly ports: SecuredPorts & { readonly plain: number };
  /** The authority's certificate, and a client's certificate with its key. */
  readonly files: { readonly ca: string; readonly certificate: string; readonly key: string };
  /** The settings by which the user reaches it: SASL_SSL, SCRAM-SHA-512. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts one broker with a plain listener and one listener for each way to secure it, in a folder of its own. */
export async function startSecuredKafka(dir: string, authority: CertificateAuthority): Promise<SecuredKafka> {
  const plain = { port: await freePort(), controllerPort: await freePort() };
  const ports: SecuredPorts = {
    sasl: await freePort(),
    mutual: await freePort(),
    expired: await freePort(),
    misnamed: await freePort(),
  };
  mkdirSync(dir, { recursive: true });
  const fetched = await fetchEngines({ progress: () => {}, signal: new AbortController().signal });
  const broker = kafkaPart({
    ...plain,
    ...securedListeners(join(dir, 'tls'), authority, plain, ports),
    dir: join(dir, 'kafka'),
    libs: fetched.kafkaLibs,
    jdk: findJdk('Kafka', 17, inheritedEnvironment()),
    environment: plainEnvironment(),
    shortLived: true,
  });
  const running = new RunningParts([broker], { logDir: join(dir, 'logs'), pidDir: join(dir, 'run'), tell: () => {} });
  await Promise.race([running.start(), running.failed.then((failure) => Promise.reject(failure))]);
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
