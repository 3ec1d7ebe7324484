import { asset } from '../test-asset.js';
import { searchPath, startCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { type ProxiedCatalog, startProxiedCatalog } from '../test-catalog-with.js';
import { blackHole } from '../test-proxy.js';
import { expectUnavailable, IMPATIENT } from '../test-unavailable.js';

describe('a search while OpenSearch is away', () => {
  let library: TestLibrary;

  beforeAll(async () => {
    library = await testLibrary();
    await library.publish(asset('pool_a', { name: 'A' }));
  });

  afterAll(() => library.close());

  it('is answered with 503 when nobody listens', async () => {
    const catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: 'http://127.0.0.1:1' });
    await expectUnavailable(() => catalog.get(searchPath('pools')));
    await catalog.close();
  });

  it('is answered with 503 when somebody listens and never answers', async () => {
    const hole = await blackHole();
    const catalog = await startCatalog(library.prefix, { ...IMPATIENT, OPENSEARCH_URL: hole.url });
    await Promise.all([1, 2, 3].map(() => expectUnavailable(() => catalog.get(searchPath('projects')))));
    await catalog.close();
    await hole.close();
  });

  it('still tells a client that the criteria are wrong', async () => {
    const catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: 'http://127.0.0.1:1' });
    expect((await catalog.get(searchPath('pools', { criteria: 'tiker:BCT' }))).status).toBe(400);
    await catalog.close();
  });

  describe('and then is back', () => {
    let proxied: ProxiedCatalog;

    beforeAll(async () => {
      proxied = await startProxiedCatalog(library.prefix);
    });

    afterAll(() => proxied.close());

    it.each(['too-many-requests', 'unavailable', 'shard-closed', 'partial', 'drop-answer'] as const)(
      'is answered with 503 while OpenSearch says %s, and with the assets after',
      async (mood) => {
        const { catalog, proxy } = proxied;
        proxy.behave(mood, '_search');
        const criteria = `not ticker:"${mood}"`;
        await expectUnavailable(() => catalog.get(searchPath('pools', { criteria })));
        proxy.behave('pass', '');
        expect(await catalog.search('pools', { criteria })).toEqual([{ source: 'TOUCAN', name: 'A' }]);
      },
    );

    it('asks once more when it is refused at once, and not when it was slow', async () => {
      const { catalog, proxy } = proxied;
      const searches = () => proxy.asked.filter((question) => question.includes('_search')).length;
      for (const [mood, times] of [
        ['unavailable', 2],
        ['partial', 1],
      ] as const) {
        const before = searches();
        proxy.behave(mood, '_search');
        await catalog.get(searchPath('pools', { criteria: `not ticker:"${times} ${mood}"` }));
        expect(searches() - before).toBe(times);
      }
      proxy.behave('pass', '');
    });
  });
});
