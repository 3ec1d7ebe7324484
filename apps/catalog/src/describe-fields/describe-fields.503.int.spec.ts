import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { startCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { type ProxiedCatalog, startProxiedCatalog } from '../test-catalog-with.js';
import { blackHole } from '../test-proxy.js';
import { expectUnavailable, IMPATIENT } from '../test-unavailable.js';

const PATH = '/v1/assets/schema';

describe('the schema while OpenSearch is away', () => {
  let library: TestLibrary;

  beforeAll(async () => {
    library = await testLibrary();
  });
  afterAll(() => library.close());

  it('is answered with 503 when somebody listens and never answers', async () => {
    const hole = await blackHole();
    const catalog = await startCatalog(library.prefix, { ...IMPATIENT, OPENSEARCH_URL: hole.url });
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
    let proxied: ProxiedCatalog;

    beforeAll(async () => {
      await library.publish(asset('pool_a'));
      proxied = await startProxiedCatalog(library.prefix);
    });
    afterAll(() => proxied.close());

    it.each(['too-many-requests', 'unavailable', 'shard-closed', 'drop-answer'] as const)(
      'is answered with 503 while OpenSearch says %s, and with the schema after',
      async (mood) => {
        const { catalog, proxy } = proxied;
        proxy.behave(mood, '_msearch');
        // What was answered a moment ago may be answered again.
        await eventually(() => expectUnavailable(() => catalog.get(PATH)));
        proxy.behave('pass', '');
        expect((await catalog.get(PATH)).status).toBe(200);
      },
    );

    it('is asked of OpenSearch in one question for both types', async () => {
      const { catalog, proxy } = proxied;
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
