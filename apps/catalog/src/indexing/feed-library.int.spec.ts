import { endsOf } from '@carbon/messaging';
import { eventually, testEngines } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { blackHole, openSearchProxy } from '../test-proxy.js';

const NOBODY = '127.0.0.1:1';

describe('the start of the catalog', () => {
  let library: TestLibrary;
  const running: TestCatalog[] = [];
  const start = async (more: Record<string, string> = {}) => {
    const catalog = await startCatalog(library.prefix, more);
    running.push(catalog);
    return catalog;
  };
  const readiness = async (catalog: TestCatalog) => (await catalog.get('/health/ready')).body;

  beforeEach(async () => {
    library = await testLibrary();
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((catalog) => catalog.close()));
    await library.close();
  });

  it('is ready with an empty library', async () => {
    const catalog = await start();
    await catalog.ready();
    // With nothing to read it may be ready before its consumer has joined the group.
    await eventually(async () => {
      expect(await readiness(catalog)).toEqual({ state: 'ready', dependencies: { opensearch: 'up', kafka: 'up' } });
    });
    expect(await catalog.search('pools')).toEqual([]);
  });

  it('holds everything that stood on the topic, in each of two instances that start at once, as soon as it is ready', async () => {
    const ids = Array.from({ length: 300 }, (_, number) => `${number % 2 ? 'pool' : 'proj'}_${number}`);
    await library.publish(...ids.map((id) => asset(id)));
    const catalogs = await Promise.all([start(), start()]);
    for (const catalog of catalogs) {
      await catalog.ready();
      const found = await Promise.all([
        catalog.search('pools', { criteria: 'source:TOUCAN', limit: 100 }),
        catalog.search('projects', { criteria: 'id:proj_298', limit: 100 }),
      ]);
      expect(found.map((assets) => assets.length)).toEqual([100, 1]);
    }
    const names = await fetch(
      `${testEngines().opensearchUrl}/_cat/indices/${library.prefix}*?h=index,docs.count&format=json`,
    );
    expect(((await names.json()) as { 'docs.count': string }[]).map((index) => index['docs.count'])).toEqual([
      '150',
      '150',
    ]);
  });

  it('catches up after a restart with what was published meanwhile before it is ready', async () => {
    const first = await start();
    await first.ready();
    await first.close();
    running.splice(0);
    await library.publish(asset('pool_meanwhile', { name: 'Meanwhile' }));
    const second = await start();
    await second.ready();
    await eventually(async () => {
      expect(await second.search('pools')).toEqual([{ source: 'TOUCAN', name: 'Meanwhile' }]);
    });
  });

  it('fills the indices again when OpenSearch has lost them', async () => {
    await library.publish(asset('pool_kept', { name: 'Kept on the topic' }));
    const first = await start();
    await first.ready();
    await first.close();
    running.splice(0);
    const { opensearchUrl } = testEngines();
    const indices = Object.keys((await (await fetch(`${opensearchUrl}/${library.prefix}*`)).json()) as object);
    await fetch(`${opensearchUrl}/${indices.join()}`, { method: 'DELETE' });
    const second = await start();
    await second.ready();
    expect(await second.search('pools')).toEqual([{ source: 'TOUCAN', name: 'Kept on the topic' }]);
  });

  it('waits for OpenSearch, lives meanwhile and says what it waits for', async () => {
    const catalog = await start({ OPENSEARCH_URL: `http://${NOBODY}` });
    expect((await catalog.get('/health/live')).status).toBe(200);
    const { status, body } = await catalog.get('/health/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({ state: 'starting', waitingFor: ['library'], dependencies: { opensearch: 'down' } });
  });

  it('answers probes well below a second while OpenSearch and Kafka say nothing, at its best of a few times', async () => {
    const [openSearch, kafka] = [await blackHole(), await blackHole()];
    const catalog = await start({ OPENSEARCH_URL: openSearch.url, KAFKA_BROKERS: new URL(kafka.url).host });
    for (const path of ['/health/live', '/health/ready']) {
      const times: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const begin = performance.now();
        await catalog.get(path);
        times.push(performance.now() - begin);
      }
      // OpenSearch would be waited for for 0.9 s.
      expect(Math.min(...times)).toBeLessThan(800);
    }
    await Promise.all([openSearch.close(), kafka.close()]);
  });

  it('starts by itself when OpenSearch comes up later', async () => {
    const proxy = await openSearchProxy(testEngines().opensearchUrl);
    proxy.behave('unavailable', '');
    const catalog = await start({ OPENSEARCH_URL: proxy.url });
    await eventually(() => expect(proxy.asked.length).toBeGreaterThan(2));
    proxy.behave('pass', '');
    await catalog.ready();
    await catalog.close();
    running.splice(0);
    await proxy.close();
  });

  it('is ready without Kafka, and searched, where the library was complete before', async () => {
    await library.publish(asset('pool_old', { name: 'Old' }));
    const before = await start();
    await before.ready();
    await eventually(async () => expect(await before.search('pools')).toHaveLength(1));
    const catalog = await start({ KAFKA_BROKERS: NOBODY });
    await eventually(async () => {
      expect(await readiness(catalog)).toMatchObject({
        state: 'ready',
        dependencies: { opensearch: 'up', kafka: 'down' },
      });
    });
    expect(await catalog.search('pools')).toEqual([{ source: 'TOUCAN', name: 'Old' }]);
  });

  it('waits for Kafka where there is no library yet', async () => {
    const catalog = await start({ KAFKA_BROKERS: NOBODY });
    await eventually(async () => {
      expect(await readiness(catalog)).toMatchObject({ state: 'starting', waitingFor: ['library'] });
    });
  });

  it('stops at once while it waits', async () => {
    const catalog = await start({ KAFKA_BROKERS: NOBODY });
    running.splice(0);
    const begin = performance.now();
    await catalog.close();
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(await endsOf(library.kafka, 'asset.published')).toHaveLength(6);
  });
});
