import { connect } from 'node:net';
import { type Environment, loadCliEnvironment, loadConfig } from '@carbon/config';
import { engineSettings } from '../test-settings.js';

const ADVICE = 'start the system with npm start and wait until it is ready, or leave TEST_ENGINES unset';
const CONNECT_MS = 2_000;

/** Where the engines of a running system answer, by the settings that tests find them with. */
export interface EngineEnvironment extends Readonly<Record<string, string>> {
  readonly KAFKA_BROKERS: string;
  readonly OPENSEARCH_URL: string;
  readonly DATABASE_URL: string;
}

/**
 * The engines of the system that `npm start` runs in this checkout; what the environment names goes before. Throws when
 * there is none, or when it has ended: the notes that it leaves outlive it.
 */
export async function runningEngines(environment: Environment = loadCliEnvironment()): Promise<EngineEnvironment> {
  const { KAFKA_BROKERS, OPENSEARCH_URL, DATABASE_URL } = loadConfig(engineSettings, environment);
  if (KAFKA_BROKERS === undefined || OPENSEARCH_URL === undefined || DATABASE_URL === undefined) {
    throw new Error(`TEST_ENGINES=running, and no system has been started in this checkout: ${ADVICE}`);
  }
  const addresses = [...KAFKA_BROKERS.split(',').map((broker) => `kafka://${broker}`), OPENSEARCH_URL, DATABASE_URL];
  await Promise.all(addresses.map((address) => mustListen(new URL(address))));
  return { KAFKA_BROKERS, OPENSEARCH_URL, DATABASE_URL };
}

/** The port of an address that names none. */
const USUAL_PORT: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const POSTGRES_PORT = 5432;

function mustListen({ protocol, hostname, port }: URL): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = Number(port) || (USUAL_PORT[protocol] ?? POSTGRES_PORT);
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(`TEST_ENGINES=running, and nothing answers at ${host}:${at}: ${ADVICE}`));
    const socket = connect({ host, port: at });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('too late')));
    socket.on('error', refuse);
    socket.on('connect', () => resolve(void socket.destroy()));
  });
}
