import { loadConfig } from '@carbon/config';
import { CACHED_AGE, INTERNAL_SECRET } from '@carbon/http';
import { createLogger, createService, Health } from '@carbon/observability';
import { eventually, OpenApiValidator, testEngines, testLog } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { catalogSettings } from '../catalog.config.js';
import { catalogModule } from '../catalog.module.js';
import { IndexReconciler } from '../index/index-reconciler.js';
import { SearchWarmUp } from '../search/search-warm-up.js';

/** A response with its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export type Parameters = Readonly<Record<string, string | number>>;
export type Found = Record<string, unknown>;

/** A catalog on its own port. Every response is validated against the OpenAPI description. */
export interface TestCatalog {
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** Sends the gateway's headers, for the account `default` unless the headers name another. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a search that must succeed. */
  search(kind: 'pools' | 'projects', parameters?: Parameters): Promise<Found[]>;
  /** Iterates over the pages of a search from this path on, with the total of each. */
  walk(path: string): Promise<{ assets: Found[]; total: number }[]>;
  /** Waits until it is ready. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const INTERNAL_SECRETS = 'an-internal-secret-of-at-least-32-characters';

/** The secret of the gateway. */
export const FROM_GATEWAY = { [INTERNAL_SECRET]: INTERNAL_SECRETS };

/** The settings of a catalog for tests: the defaults, except its timeouts. */
export function testSettings(prefix: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { kafkaBrokers, opensearchUrl } = testEngines();
  return {
    KAFKA_BROKERS: kafkaBrokers,
    OPENSEARCH_URL: opensearchUrl,
    TOPIC_PREFIX: prefix,
    INDEX_PREFIX: prefix,
    CURSOR_SECRETS: 'a-cursor-secret-of-at-least-32-characters',
    INTERNAL_SECRETS,
    // Longer than a busy machine needs; tests of this timeout set their own.
    SEARCH_TIMEOUT_MS: '10000',
    SEARCH_WARM_UP_MS: '0',
    LOG_LEVEL: 'info',
    ...more,
  };
}

/** Starts a catalog for a library; it becomes ready in the background. */
export async function startCatalog(prefix: string, more: Readonly<Record<string, string>> = {}): Promise<TestCatalog> {
  const config = loadConfig(catalogSettings, testSettings(prefix, more));
  const logger = createLogger({ app: 'catalog', level: config.LOG_LEVEL, stream: testLog('catalog') });
  const app = await createService(catalogModule(config, logger), { logger, settings: config });
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.get(Health).listening();
  app.get(IndexReconciler).start(() => app.get(SearchWarmUp).run());
  return testCatalog(app, await app.getUrl());
}

const api = new OpenApiValidator();

function testCatalog(app: NestFastifyApplication, url: string): TestCatalog {
  const get = async (path: string, headers: Record<string, string> = { 'x-account': 'default' }): Promise<Answer> => {
    const response = await fetch(url + path, { headers: { ...FROM_GATEWAY, ...headers } });
    const text = await response.text();
    const { status } = response;
    // Only for the gateway.
    const { [CACHED_AGE]: _, ...head } = Object.fromEntries(response.headers);
    api.requireValid({ method: 'GET', path, status, headers: head, body: Buffer.from(text) });
    return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const page = async (path: string) => {
    const { status, headers, body } = await get(path);
    if (status !== 200) throw new Error(`${status} at ${path}: ${JSON.stringify(body)}`);
    const total = Number(headers.get('x-total-count') ?? Number.NaN);
    return { assets: body as Found[], total, next: nextOf(headers) };
  };
  const catalog: TestCatalog = {
    url,
    app,
    get,
    search: async (kind, parameters) => (await page(searchPath(kind, parameters))).assets,
    walk: async (path) => {
      const { next, ...first } = await page(path);
      return [first, ...(next === undefined ? [] : await catalog.walk(next))];
    },
    ready: () =>
      eventually(async () => {
        const { status, body } = await get('/health/ready');
        if (status !== 200) throw new Error(JSON.stringify(body));
      }),
    close: () => app.close(),
  };
  return catalog;
}

/** Returns the path of a search; both required parameters are empty by default. */
export function searchPath(kind: 'pools' | 'projects', parameters: Parameters = {}): string {
  const query = Object.entries({ criteria: '', fullTextSearch: '', ...parameters });
  return `/v1/assets/${kind}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Returns the target of the `Link` header. */
export function nextOf(headers: Headers): string | undefined {
  return headers.get('link')?.match(/^<(\/v1\/[^>]+)>; rel="next"$/)?.[1];
}
