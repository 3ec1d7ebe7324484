import { eventually, figureOf, type MetricFamily, readExposition, testEngines } from '@carbon/testing';
import { catalogMetrics } from './catalog.metrics.js';
import { asset } from './test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from './test-catalog.js';
import { openSearchProxy } from './test-proxy.js';

async function metricsOf({ url }: TestCatalog): Promise<Map<string, MetricFamily>> {
  return readExposition(await (await fetch(`${url}/metrics`)).text());
}

describe('GET /metrics of the catalog', () => {
  let library: TestLibrary;
  let catalog: TestCatalog;

  beforeAll(async () => {
    library = await testLibrary();
    await library.publish(asset('pool_1'), asset('pool_2'), asset('proj_1'));
    await library.send('pool_bad', 'not JSON');
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  });

  afterAll(async () => {
    await catalog.close();
    await library.close();
  });

  it('shows each of its metrics under its name and type', async () => {
    const families = await metricsOf(catalog);
    const named = catalogMetrics.flatMap((table) => Object.values(table));
    for (const { name, kind, help } of named) expect(families.get(name)).toMatchObject({ type: kind, help });
  });

  it('counts what was indexed and what was given up, and shows that nothing is left', async () => {
    await eventually(async () => {
      const families = await metricsOf(catalog);
      const topic = { topic: 'asset.published' };
      expect(figureOf(families, 'carbon_catalog_kafka_batch_messages_sum', topic)).toBe(4);
      expect(figureOf(families, 'carbon_catalog_kafka_dead_letters_total', topic)).toBe(1);
      expect(figureOf(families, 'carbon_catalog_kafka_lag_messages', topic)).toBe(0);
      expect(figureOf(families, 'carbon_catalog_kafka_oldest_unread_age_seconds', topic)).toBe(0);
      expect(figureOf(families, 'carbon_catalog_kafka_consuming')).toBe(1);
      expect(figureOf(families, 'carbon_catalog_figures_up')).toBe(1);
    });
  });

  it('shows one live generation that can be searched', async () => {
    const families = await metricsOf(catalog);
    const generations = (state: string) => figureOf(families, 'carbon_catalog_index_generations', { state });
    expect([generations('live'), generations('building'), generations('retired'), generations('broken')]).toEqual([
      1, 0, 0, 0,
    ]);
    expect(figureOf(families, 'carbon_catalog_index_searchable')).toBe(1);
    expect(figureOf(families, 'carbon_catalog_index_look_age_seconds')).toBeLessThan(10);
  });

  it('tells answers that were kept from those that OpenSearch was asked for', async () => {
    const before = await metricsOf(catalog);
    await Promise.all([catalog.search('pools', { limit: 2 }), catalog.search('pools', { limit: 2 })]);
    await catalog.search('pools', { limit: 2 });
    await catalog.search('pools', { limit: 2, criteria: '' });
    const after = await metricsOf(catalog);
    const moved = (source: string) => {
      const labels = { type: 'POOL', source };
      const name = 'carbon_catalog_searches_total';
      return (figureOf(after, name, labels) ?? 0) - (figureOf(before, name, labels) ?? 0);
    };
    expect(moved('opensearch')).toBeGreaterThanOrEqual(1);
    expect(moved('opensearch') + moved('page') + moved('answer')).toBe(4);
    expect(moved('answer') + moved('page')).toBeGreaterThanOrEqual(1);
    const asked = { operation: 'search', outcome: 'answered' };
    expect(figureOf(after, 'carbon_catalog_opensearch_duration_seconds_count', asked)).toBeGreaterThanOrEqual(1);
  });
});

describe('the metrics of a catalog whose OpenSearch or Kafka is away', () => {
  it('stay readable, with what cannot be known left out', async () => {
    const library = await testLibrary();
    const proxy = await openSearchProxy(testEngines().opensearchUrl);
    const catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: proxy.url });
    try {
      await catalog.ready();
      proxy.behave('unavailable', '');
      await catalog.get('/v1/assets/pools?criteria=&fullTextSearch=');
      const families = await metricsOf(catalog);
      const outage = { operation: 'search', outcome: 'outage' };
      expect(figureOf(families, 'carbon_catalog_opensearch_duration_seconds_count', outage)).toBeGreaterThanOrEqual(1);
      const problems = { route: '/v1/assets/pools', code: 'service_unavailable' };
      expect(figureOf(families, 'carbon_catalog_http_problems_total', problems)).toBe(1);
    } finally {
      await catalog.close();
      await proxy.close();
      await library.close();
    }
  });

  it('count what OpenSearch refuses, by its own word', async () => {
    const library = await testLibrary();
    const proxy = await openSearchProxy(testEngines().opensearchUrl);
    const catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: proxy.url });
    try {
      await catalog.ready();
      proxy.behave('refused', '_search');
      await catalog.get('/v1/assets/pools?criteria=&fullTextSearch=');
      const refused = { operation: 'search', type: 'parsing_exception' };
      expect(figureOf(await metricsOf(catalog), 'carbon_catalog_opensearch_refusals_total', refused)).toBe(1);
    } finally {
      await catalog.close();
      await proxy.close();
      await library.close();
    }
  });
});
