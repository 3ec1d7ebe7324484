import { eventually, metricValue, readExposition } from '@carbon/testing';
import { catalogMetrics } from './catalog.metrics.js';
import { searchPath } from './testing/catalog.js';
import { asset } from './testing/library.js';
import { proxiedCatalogWith } from './testing/set-up.js';

describe('GET /metrics of the catalog', () => {
  const assets = [asset('pool_1'), asset('pool_2'), asset('proj_1')];
  const { library, catalog, proxy } = proxiedCatalogWith(assets);

  const metrics = async () => {
    const families = readExposition(await (await fetch(`${catalog.url}/metrics`)).text());
    const figure = (name: string, labels?: Record<string, string>) =>
      metricValue(families, `carbon_catalog_${name}`, labels);
    return { families, figure };
  };

  it('exports each of its metrics with its name and type', async () => {
    const { families } = await metrics();
    const named = catalogMetrics.flatMap((table) => Object.values(table));
    for (const { name, kind, help } of named) expect(families.get(name)).toMatchObject({ type: kind, help });
    const own = [...families.keys()].filter((name) => name.startsWith('carbon_'));
    expect(own.sort()).toEqual(named.map(({ name }) => name).sort());
  });

  it('counts indexed and dead-lettered messages, and shows a lag of zero', async () => {
    await library.send('pool_bad', 'not JSON');
    await eventually(async () => {
      const { figure } = await metrics();
      const topic = { topic: 'asset.published' };
      expect(figure('kafka_batch_messages_sum', topic)).toBe(4);
      expect(figure('kafka_dead_letters_total', topic)).toBe(1);
      expect(figure('kafka_lag_messages', topic)).toBe(0);
      expect(figure('kafka_oldest_unread_age_seconds', topic)).toBe(0);
      expect(figure('kafka_consuming')).toBe(1);
      expect(figure('collector_up')).toBe(1);
    });
  });

  it('shows one live generation that can be searched', async () => {
    const { figure } = await metrics();
    const states = ['live', 'building', 'retired', 'broken'];
    expect(states.map((state) => figure('index_generations', { state }))).toEqual([1, 0, 0, 0]);
    expect(figure('index_searchable')).toBe(1);
    expect(figure('index_state_age_seconds')).toBeLessThan(10);
  });

  it('distinguishes cached responses from requests to OpenSearch', async () => {
    const before = await metrics();
    await Promise.all([catalog.search('pools', { limit: 2 }), catalog.search('pools', { limit: 2 })]);
    await catalog.search('pools', { limit: 2 });
    await catalog.search('pools', { limit: 2, criteria: '' });
    const after = await metrics();
    const moved = (source: string) => {
      const [name, labels] = ['searches_total', { type: 'POOL', source }];
      return (after.figure(name, labels) ?? 0) - (before.figure(name, labels) ?? 0);
    };
    expect(moved('opensearch')).toBeGreaterThanOrEqual(1);
    expect(moved('opensearch') + moved('page') + moved('response')).toBe(4);
    expect(moved('response') + moved('page')).toBeGreaterThanOrEqual(1);
    const labels = { operation: 'search', outcome: 'answered' };
    expect(after.figure('opensearch_duration_seconds_count', labels)).toBeGreaterThanOrEqual(1);
  });

  it('counts the errors of OpenSearch by its own error type', async () => {
    proxy.behave('refused', '_search');
    await catalog.get(searchPath('pools', { criteria: 'ticker:refused' }));
    const { figure } = await metrics();
    expect(figure('opensearch_rejected_requests_total', { operation: 'search', type: 'parsing_exception' })).toBe(1);
  });

  it('stays readable without OpenSearch, and counts failed requests', async () => {
    proxy.behave('unavailable', '');
    await catalog.get(searchPath('pools', { criteria: 'ticker:away' }));
    const { figure } = await metrics();
    const outage = { operation: 'search', outcome: 'outage' };
    expect(figure('opensearch_duration_seconds_count', outage)).toBeGreaterThanOrEqual(1);
    expect(figure('http_problems_total', { route: '/v1/assets/pools', code: 'service_unavailable' })).toBe(1);
  });
});
