import { loadConfig } from '@carbon/config';
import type { Asset } from '@carbon/contracts';
import { INTERNAL_SECRET } from '@carbon/faults';
import { createKafka, createTopics, eventMessage, type KafkaHandle, SelfClockedProducer } from '@carbon/messaging';
import { createLogger, createService, Health } from '@carbon/observability';
import { DescribedApi, eventually, freshPrefix, PATIENT_PRODUCER, testEngines, testLog } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { catalogSettings } from './catalog.config.js';
import { CatalogModule } from './catalog.module.js';
import { FeedLibrary } from './indexing/feed-library.js';

/** A place of its own on the real Kafka and OpenSearch: prefixes, and a way to publish. */
export interface TestLibrary {
  readonly prefix: string;
  readonly kafka: KafkaHandle;
  /** @returns when Kafka has confirmed all */
  publish(...assets: readonly Asset[]): Promise<void>;
  withdraw(...ids: readonly string[]): Promise<void>;
  /** Any bytes under any key. */
  send(key: string, value: string | null, type?: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes the topics of one, at a place of its own unless told which. */
export async function testLibrary(
  prefix = freshPrefix(),
  kafkaBrokers = testEngines().kafkaBrokers,
): Promise<TestLibrary> {
  const brokers = kafkaBrokers.split(',');
  const kafka = createKafka({ brokers, clientId: 'catalog-test', topicPrefix: prefix });
  await createTopics(kafka);
  const producer = new SelfClockedProducer(kafka, PATIENT_PRODUCER);
  const send = async (key: string, value: string | null, type = 'asset.published.v1') => {
    const id = `${key}-${Math.random()}`;
    const time = new Date().toISOString();
    const message = eventMessage('asset.published.v1', {} as Asset, { id, source: '/assets', subject: key, time });
    await producer.publish({
      ...message,
      topic: 'asset.published',
      key,
      value,
      headers: { ...message.headers, ce_type: type },
    });
  };
  return {
    prefix,
    kafka,
    send,
    publish: async (...assets) =>
      void (await Promise.all(assets.map((asset) => send(asset.id, JSON.stringify(asset))))),
    withdraw: async (...ids) => void (await Promise.all(ids.map((id) => send(id, null)))),
    close: () => producer.close(),
  };
}

/** An answer, its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A catalog on a port of its own. */
export interface TestCatalog {
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** From the gateway, for the account `default` unless the headers say otherwise. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** A search that must succeed. */
  search(kind: 'pools' | 'projects', parameters?: Record<string, string | number>): Promise<Record<string, unknown>[]>;
  /** Waits until it is ready. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const INTERNAL_SECRETS = 'an-internal-secret-of-at-least-32-characters';

/** What the gateway proves itself with. */
export const FROM_GATEWAY = { [INTERNAL_SECRET]: INTERNAL_SECRETS };

/** Settings of a catalog for tests: the defaults, but for its patience. */
export function testSettings(prefix: string, more: Record<string, string> = {}): Record<string, string> {
  const { kafkaBrokers, opensearchUrl } = testEngines();
  return {
    KAFKA_BROKERS: kafkaBrokers,
    OPENSEARCH_URL: opensearchUrl,
    TOPIC_PREFIX: prefix,
    INDEX_PREFIX: prefix,
    CURSOR_SECRETS: 'a-cursor-secret-of-at-least-32-characters',
    INTERNAL_SECRETS,
    // Longer than a busy machine takes; tests of this time set their own.
    SEARCH_TIMEOUT_MS: '10000',
    LOG_LEVEL: 'info',
    ...more,
  };
}

/** Starts one beside a library; it becomes ready in the background. */
export async function startCatalog(prefix: string, more: Record<string, string> = {}): Promise<TestCatalog> {
  const config = loadConfig(catalogSettings, testSettings(prefix, more));
  const logger = createLogger({ app: 'catalog', level: config.LOG_LEVEL, stream: testLog('catalog') });
  const app = await createService(CatalogModule.with(config, logger), { logger, settings: config });
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.get(Health).listening();
  app.get(FeedLibrary).start();
  return testCatalog(app, await app.getUrl());
}

const api = new DescribedApi();

function testCatalog(app: NestFastifyApplication, url: string): TestCatalog {
  const get = async (path: string, headers: Record<string, string> = { 'x-account': 'default' }): Promise<Answer> => {
    const response = await fetch(url + path, { headers: { ...FROM_GATEWAY, ...headers } });
    const text = await response.text();
    api.requireDescribed({
      method: 'GET',
      path,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(text),
    });
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    url,
    app,
    get,
    search: async (kind, parameters = {}) => {
      const { status, body } = await get(searchPath(kind, parameters));
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body as Record<string, unknown>[];
    },
    ready: () =>
      eventually(async () => {
        const { status, body } = await get('/health/ready');
        if (status !== 200) throw new Error(JSON.stringify(body));
      }),
    close: () => app.close(),
  };
}

/** The path of a search; both required parameters are empty unless given. */
export function searchPath(kind: 'pools' | 'projects', parameters: Record<string, string | number> = {}): string {
  const query = Object.entries({ criteria: '', fullTextSearch: '', ...parameters });
  return `/v1/assets/${kind}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
