import { eventually, testEngines } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { type Answer, startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { blackHole, type OpenSearchProxy, openSearchProxy } from '../test-proxy.js';

const PATH = '/v1/assets/schema';
const TWO_SECONDS = 2_000;

async function expectUnavailable(ask: () => Promise<Answer>): Promise<void> {
  const begin = performance.now();
  const { status, headers, body } = await ask();
  expect(performance.now() - begin).toBeLessThan(TWO_SECONDS);
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(body).toMatchObject({ code: 'service_unavailable' });
}

describe('the schema while OpenSearch is away', () => {
  let library: TestLibrary;

  beforeAll(async () => {
    library = await testLibrary();
  });
  afterAll(() => library.close());

  it('is answered with 503 when somebody listens and never answers', async () => {
    const hole = await blackHole();
    const catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: hole.url });
    await expectUnavailable(() => catalog.get(PATH));
    await catalog.close();
    await hole.close();
  });

  it('is answered with 503 when nobody listens, and a wrong address still with 400', async () => {
    const catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: 'http://127.0.0.1:1' });
    await expectUnavailable(() => catalog.get(PATH));
    expect((await catalog.get(`${PATH}?a=b`)).status).toBe(400);
    await catalog.close();
  });

  it('is answered with 503 before the library can be searched', async () => {
    const catalog = await startCatalog(library.prefix, { KAFKA_BROKERS: '127.0.0.1:1' });
    await expectUnavailable(() => catalog.get(PATH));
    await catalog.close();
  });

  describe('and then is back', () => {
    let proxy: OpenSearchProxy;
    let catalog: TestCatalog;

    beforeAll(async () => {
      await library.publish(asset('pool_a'));
      proxy = await openSearchProxy(testEngines().opensearchUrl);
      catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: proxy.url });
      await catalog.ready();
    });
    afterAll(async () => {
      await catalog.close();
      await proxy.close();
    });

    it.each(['too-many-requests', 'unavailable', 'shard-closed', 'drop-answer'] as const)(
      'is answered with 503 while OpenSearch says %s, and with the schema after',
      async (mood) => {
        proxy.behave(mood, '_msearch');
        // What was answered a moment ago may be answered again.
        await eventually(() => expectUnavailable(() => catalog.get(PATH)));
        proxy.behave('pass', '');
        expect((await catalog.get(PATH)).status).toBe(200);
      },
    );

    it('is asked of OpenSearch in one question for both types', async () => {
      await library.publish(asset('proj_a'));
      await eventually(async () => expect((await catalog.get(PATH)).body).toMatchObject({ projects: { total: 1 } }));
      const before = proxy.asked.length;
      const asked = () => proxy.asked.slice(before).filter((question) => /_msearch|_search|_settings/.test(question));
      await eventually(async () => {
        await catalog.get(PATH);
        expect(asked()).not.toEqual([]);
      });
      expect(asked()).toEqual([expect.stringContaining('_msearch')]);
    });
  });
});
