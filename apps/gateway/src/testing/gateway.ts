import { loadConfig } from '@carbon/config';
import { Ids } from '@carbon/contracts';
import { createKafka, createTopics, type Message, readTopic, topicEnds } from '@carbon/messaging';
import { createLogger, createService } from '@carbon/observability';
import { duringTests, eventually, freshPrefix, testEngines, testLog } from '@carbon/testing';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type GatewayConfig, gatewaySettings } from '../gateway.config.js';
import { gatewayModule } from '../gateway.module.js';
import { send, sendChecked, type TestRequest, type TestResponse } from './http.js';

/** An address without a listener: port 1 is reserved, and below the ports that the system assigns. */
export const UNUSED_ADDRESS = '127.0.0.1:1';

/** A search that any client may send. */
export const SEARCH = '/v1/assets/pools?criteria=&fullTextSearch=';

/** The secrets of every gateway in the tests. */
export const TEST_SECRETS = {
  ID_SECRETS: 'an-id-secret-of-at-least-32-characters',
  IDEMPOTENCY_SECRETS: 'a-key-secret-of-at-least-32-characters',
  INTERNAL_SECRETS: 'an-internal-secret-of-at-least-32-characters',
};

/** Creates and verifies ids like these gateways. */
export const TEST_IDS = new Ids({
  ids: [TEST_SECRETS.ID_SECRETS],
  idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS],
});

/**
 * The timeouts of a gateway in tests of other features, in ms: longer than a busy machine takes, shorter than the
 * timeout of a hanging handler. Some are above what a setting allows.
 */
const GENEROUS_TIMEOUTS = {
  ACCEPT_TIMEOUT_MS: 12_000,
  REPLAY_TIMEOUT_MS: 3_000,
  OFFSETS_TIMEOUT_MS: 12_000,
  CATALOG_TIMEOUT_MS: 12_000,
  // A client may keep an idle connection for as long as the machine stalls; its first request would get a 408.
  HTTP_REQUEST_MS: 60_000,
} as const satisfies Partial<GatewayConfig>;

/** Settings by their environment names; those left out are the defaults, with generous timeouts. */
export type Settings = Readonly<Record<string, string>>;

/** A gateway on its own port. */
export interface TestGateway {
  readonly url: string;
  readonly app: NestFastifyApplication;
  /**
   * Sends a request and validates the response against the OpenAPI description, unless a stub is behind the gateway.
   */
  send(request: TestRequest): Promise<TestResponse>;
  /** Reads all messages of its `offset.requested`. */
  published(): Promise<Message[]>;
  close(): Promise<void>;
}

/**
 * Starts a gateway without topics, for the routes that publish nothing. The other apps are down unless a URL is given.
 * @param controllers further ones
 */
export async function startGateway(settings: Settings = {}, controllers: Type[] = []): Promise<TestGateway> {
  return await start(freshPrefix(), settings, controllers);
}

/** Starts a gateway with topics of its own on the real Kafka. */
export async function startPublishingGateway(settings: Settings = {}): Promise<TestGateway> {
  return await start(await createTestTopics(), settings);
}

/** Creates the topics under a new prefix, and waits until they have leaders. Returns the prefix. */
export async function createTestTopics(): Promise<string> {
  const topicPrefix = freshPrefix();
  const kafka = kafkaOf(topicPrefix);
  await eventually(async () => {
    await createTopics(kafka);
    await topicEnds(kafka, 'offset.requested');
  });
  return topicPrefix;
}

function kafkaOf(topicPrefix: string) {
  return createKafka({ brokers: testEngines().kafkaBrokers.split(','), clientId: 'gateway-test', topicPrefix });
}

async function start(topicPrefix: string, settings: Settings, controllers: Type[] = []): Promise<TestGateway> {
  const config = loadConfig(gatewaySettings, {
    KAFKA_BROKERS: testEngines().kafkaBrokers,
    TOPIC_PREFIX: topicPrefix,
    LOG_LEVEL: 'info',
    // All tests come from one address; the tests of the limits set their own.
    RATE_LIMIT_FAILED_KEYS: 'unlimited',
    OFFSETS_URL: `http://${UNUSED_ADDRESS}`,
    CATALOG_URL: `http://${UNUSED_ADDRESS}`,
    ...TEST_SECRETS,
    ...settings,
  });
  const unset = Object.entries(GENEROUS_TIMEOUTS).filter(([name]) => settings[name] === undefined);
  const patient: GatewayConfig = { ...config, ...Object.fromEntries(unset) };
  const logger = createLogger({ app: 'gateway', level: config.LOG_LEVEL, stream: testLog('gateway') });
  const module = { ...gatewayModule(patient, logger), controllers };
  const app = await createService(module, { logger, settings: patient, compresses: true });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = await app.getUrl();
  // The bodies of a stub are invalid, and the gateway forwards them.
  const isBeforeStub = settings.OFFSETS_URL !== undefined || settings.CATALOG_URL !== undefined;
  return {
    url,
    app,
    send: (request) => (isBeforeStub ? send : sendChecked)(url, request),
    published: async () => {
      const received: Message[] = [];
      await readTopic(kafkaOf(topicPrefix), 'offset.requested', (message) => void received.push(message));
      return received;
    },
    close: () => app.close(),
  };
}

/** Starts a gateway before the tests of the enclosing block, and closes it after them. */
export function useGateway(settings: () => Settings = () => ({}), starting = startGateway): TestGateway {
  return duringTests(
    () => starting(settings()),
    (gateway) => gateway.close(),
  );
}

/** Returns the id of the offset in a response to `POST /v1/offsets`. */
export function offsetIdOf({ headers }: TestResponse): string {
  return String(headers.location).replace('/v1/offsets?id=', '');
}
