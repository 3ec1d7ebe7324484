import { loadConfig } from '@carbon/config';
import { Ids } from '@carbon/contracts';
import { createKafka, createTopics, endsOf, type KafkaHandle, type Received, readTopic } from '@carbon/messaging';
import { createLogger, createService } from '@carbon/observability';
import { eventually, freshPrefix, testEngines, testLog } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type GatewayConfig, gatewaySettings } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import { type Answer, ask, askDescribed, type Question } from './test-client.js';

/** A port that nobody listens on: 1 is below what the system hands out, and reserved. */
export const NOBODY = '127.0.0.1:1';

/** The secrets of every gateway in the tests. */
export const TEST_SECRETS = {
  ID_SECRETS: 'an-id-secret-of-at-least-32-characters',
  IDEMPOTENCY_SECRETS: 'a-key-secret-of-at-least-32-characters',
  INTERNAL_SECRETS: 'an-internal-secret-of-at-least-32-characters',
};

/** What makes and proves ids as those gateways do. */
export const TEST_IDS = new Ids({
  ids: [TEST_SECRETS.ID_SECRETS],
  idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS],
});

/**
 * How long a gateway waits in a test that is not about that, in ms: longer than a busy machine takes, shorter than what
 * ends a request whose handler does not. Some may not be set so long.
 */
const PATIENCE = {
  ACCEPT_TIMEOUT_MS: 12_000,
  REPLAY_TIMEOUT_MS: 3_000,
  OFFSETS_TIMEOUT_MS: 12_000,
  CATALOG_TIMEOUT_MS: 12_000,
  // A client may hold a connection ready for as long as the machine stalls; its first request would get a 408.
  HTTP_REQUEST_MS: 60_000,
} as const satisfies Partial<GatewayConfig>;

/** A gateway on a port of its own, with topics of its own on the real Kafka. */
export interface TestGateway {
  readonly url: string;
  readonly app: NestFastifyApplication;
  ask(question: Question): Promise<Answer>;
  /** Everything on `offset.requested`, one after the other. */
  requested(): Promise<Received[]>;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** Starts one; settings left out are the defaults, but for its patience, and the other apps are away. */
export async function startGateway(settings: Settings = {}): Promise<TestGateway> {
  return await start(settings.KAFKA_BROKERS === undefined ? await makeTestTopics() : ownKafka(), settings);
}

/** Starts one for the routes that publish nothing: it has no topics. */
export async function startReader(settings: Settings = {}): Promise<TestGateway> {
  return await start(ownKafka(), settings);
}

async function start({ kafka, topicPrefix }: OwnKafka, settings: Settings): Promise<TestGateway> {
  const away = { OFFSETS_URL: `http://${NOBODY}`, CATALOG_URL: `http://${NOBODY}` };
  const own = {
    KAFKA_BROKERS: testEngines().kafkaBrokers,
    TOPIC_PREFIX: topicPrefix,
    LOG_LEVEL: 'info',
    // All tests come from one address; those of the limits set their own.
    RATE_LIMIT_FAILED_KEYS: 'unlimited',
    ...TEST_SECRETS,
  };
  const config = patiently(loadConfig(gatewaySettings, { ...own, ...away, ...settings }), settings);
  const logger = createLogger({ app: 'gateway', level: config.LOG_LEVEL, stream: testLog('gateway') });
  const app = await createService(GatewayModule.with(config, logger), { logger, settings: config });
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A stand-in for another app makes things up, and the gateway passes them on.
  const beforeStandIn = [settings.OFFSETS_URL, settings.CATALOG_URL].some((url) => url !== undefined);
  return testGateway(app, await app.getUrl(), kafka, beforeStandIn ? ask : askDescribed);
}

function patiently(config: GatewayConfig, settings: Settings): GatewayConfig {
  const unset = Object.entries(PATIENCE).filter(([name]) => settings[name] === undefined);
  return { ...config, ...Object.fromEntries(unset) };
}

/** A way to the real Kafka under a prefix that nobody else has. */
export interface OwnKafka {
  readonly kafka: KafkaHandle;
  readonly topicPrefix: string;
}

function ownKafka(): OwnKafka {
  const topicPrefix = freshPrefix();
  const brokers = testEngines().kafkaBrokers.split(',');
  return { kafka: createKafka({ brokers, clientId: 'gateway-test', topicPrefix }), topicPrefix };
}

/** Makes topics of one's own and waits until they lead: a broker that makes many at a time needs a moment for each. */
export async function makeTestTopics(): Promise<OwnKafka> {
  const own = ownKafka();
  await eventually(async () => {
    await createTopics(own.kafka);
    await endsOf(own.kafka, 'offset.requested');
  });
  return own;
}

/** The same around an app that listens already. */
export function testGateway(
  app: NestFastifyApplication,
  url: string,
  kafka: KafkaHandle,
  asking: typeof ask = askDescribed,
): TestGateway {
  return {
    url,
    app,
    ask: (question) => asking(url, question),
    requested: async () => {
      const received: Received[] = [];
      await readTopic(kafka, 'offset.requested', (message) => void received.push(message));
      return received;
    },
    close: () => app.close(),
  };
}
