import { setTimeout as pause } from 'node:timers/promises';
import { eventually, startTcp, testEngines } from '@carbon/testing';
import { searchPath } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { openSearchProxy } from '../testing/proxy.js';
import { freshLibrary, proxiedCatalogWith } from '../testing/set-up.js';

/** Longer than readiness is cached, so that each probe checks the dependencies. */
const PROBE_INTERVAL_MS = 600;

describe('the start of the catalog', () => {
  const { begin, stop } = freshLibrary();

  it('answers probes in well under a second while OpenSearch and Kafka do not respond (the fastest of five attempts)', async () => {
    await using silent = await startTcp();
    const address = `127.0.0.1:${silent.port}`;
    const catalog = await begin({ OPENSEARCH_URL: `http://${address}`, KAFKA_BROKERS: address });
    for (const path of ['/health/live', '/health/ready']) {
      const times: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const since = performance.now();
        await catalog.get(path);
        times.push(performance.now() - since);
        await pause(PROBE_INTERVAL_MS);
      }
      // A probe that waited for OpenSearch would take 0.9 s, the timeout of its check.
      expect(Math.min(...times)).toBeLessThan(800);
    }
  });

  it('continues by itself when OpenSearch comes up later', async () => {
    const proxy = await openSearchProxy(testEngines().opensearchUrl);
    proxy.behave('unavailable', '');
    const catalog = await begin({ OPENSEARCH_URL: proxy.url });
    await eventually(() => expect(proxy.requests.length).toBeGreaterThan(2));
    proxy.behave('pass', '');
    await catalog.ready();
    await stop();
    await proxy.close();
  });
});

describe('ingest', () => {
  const { library, indices, catalog, proxy } = proxiedCatalogWith([asset('pool_before', { name: 'Before' })]);

  it.each(['too-many-requests', 'unavailable', 'drop-answer'] as const)(
    'loses nothing while OpenSearch is in the mode %s',
    async (mode) => {
      const requestsBefore = proxy.requests.length;
      const ids = Array.from({ length: 40 }, (_, number) => `pool_${mode}_${number}`);
      proxy.behave(mode, '_bulk');
      await library.publish(...ids.map((id) => asset(id, { registry: mode })));
      await eventually(() => {
        const bulks = proxy.requests.slice(requestsBefore).filter((request) => request.includes('_bulk'));
        expect(bulks.length).toBeGreaterThan(3);
      });
      proxy.behave('pass', '');
      await eventually(async () => {
        expect(await catalog.search('pools', { criteria: `registry:${mode}`, limit: 100 })).toHaveLength(40);
      });
      expect(await library.deadLetters()).toBe(0);
    },
  );

  it('loses nothing while the index is read-only, as on a full disk', async () => {
    const block = (isBlocked: true | null) =>
      indices.ask('PUT', `/${library.prefix}pools/_settings`, { 'index.blocks.read_only_allow_delete': isBlocked });
    const search = () => catalog.search('pools', { criteria: 'id:pool_blocked', fields: 'id' });
    await block(true);
    const requestsBefore = proxy.requests.length;
    try {
      await library.publish(asset('pool_blocked'));
      const bulks = () => proxy.requests.slice(requestsBefore).filter((request) => request.includes('_bulk'));
      await eventually(() => expect(bulks().length).toBeGreaterThan(2));
      expect(await search()).toEqual([]);
    } finally {
      await block(null);
    }
    await eventually(async () => expect(await search()).toEqual([{ id: 'pool_blocked' }]));
    expect(await library.deadLetters()).toBe(0);
  });

  it('rebuilds the library when one of its indices is missing, and serves the other type meanwhile', async () => {
    const [lost = ''] = await indices.namesOfAlias('pools');
    await indices.remove(lost);
    expect((await catalog.get(searchPath('projects'))).status).toBe(200);
    await library.publish(asset('pool_new', { name: 'New' }));
    const criteria = 'id in (pool_before, pool_new)';
    await eventually(async () => {
      const names = (await catalog.search('pools', { criteria })).map(({ name }) => name);
      expect(names).toEqual(['Before', 'New']);
    });
  });
});
