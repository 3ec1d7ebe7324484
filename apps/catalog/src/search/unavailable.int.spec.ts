import { eventually, startTcp } from '@carbon/testing';
import { type Answer, searchPath, startCatalog } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { proxiedCatalogWith } from '../testing/set-up.js';

const SCHEMA = '/v1/assets/schema';
const HINTS = '/v1/assets/hints?kind=pools&criteria=source:A&fullTextSearch=';
const PATHS = [searchPath('pools'), searchPath('projects'), SCHEMA, HINTS];
/** Measured by the client on a busy machine; a test catalog has longer timeouts by default. */
const SOON_MS = 7_000;

/** Expects a fast 503 with Retry-After. */
async function expectUnavailable(ask: () => Promise<Answer>): Promise<void> {
  const begin = performance.now();
  const { status, headers, body } = await ask();
  expect(performance.now() - begin).toBeLessThan(SOON_MS);
  const head = [status, headers.get('content-type'), headers.get('retry-after')];
  expect(head).toEqual([503, 'application/problem+json', '1']);
  expect(body).toMatchObject({ code: 'service_unavailable', status: 503, type: '/problems/service_unavailable' });
}

describe('a catalog without OpenSearch', () => {
  const { library, indices, catalog, proxy } = proxiedCatalogWith([asset('pool_a', { name: 'A' }), asset('proj_a')]);

  it.each([
    ['nobody listens', { OPENSEARCH_URL: 'http://127.0.0.1:1' }],
    ['the library cannot be searched yet', { KAFKA_BROKERS: '127.0.0.1:1', INDEX_PREFIX: 'nothing-' }],
  ])('responds with 503 when %s, and still with 400 to invalid requests', async (_, settings) => {
    const other = await startCatalog(library.prefix, settings);
    for (const path of PATHS) await expectUnavailable(() => other.get(path));
    expect((await other.get(searchPath('pools', { criteria: 'tiker:BCT' }))).status).toBe(400);
    expect((await other.get(`${SCHEMA}?a=b`)).status).toBe(400);
    await other.close();
  });

  it('responds with 503 when OpenSearch accepts connections and never responds', async () => {
    await using silent = await startTcp();
    const other = await startCatalog(library.prefix, {
      SEARCH_TIMEOUT_MS: '1000',
      OPENSEARCH_URL: `http://127.0.0.1:${silent.port}`,
    });
    await Promise.all(PATHS.map((path) => expectUnavailable(() => other.get(path))));
    await other.close();
  });

  it('responds with 500, without internals, when OpenSearch rejects the request', async () => {
    const prefix = `${library.prefix}foreign-`;
    // An index of another application under our alias, with a revision that is not replaced and none of our fields.
    const index = { mappings: { _meta: { revision: 1_000 } }, aliases: { [`${prefix}pools`]: {} } };
    await indices.ask('PUT', `/${prefix}by-hand`, index);
    const other = await startCatalog(library.prefix, { INDEX_PREFIX: prefix });
    const { status, body } = await other.get(searchPath('pools', { criteria: 'ticker:BCT' }));
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal_error', type: '/problems/internal_error' });
    expect(JSON.stringify(body)).not.toMatch(/opensearch|exception|ticker|name\.exact/i);
    await other.close();
  });

  it.each(['too-many-requests', 'unavailable', 'shard-closed', 'partial', 'timed-out', 'drop-answer'] as const)(
    'responds with 503 while OpenSearch returns %s, and with the assets afterwards',
    async (mode) => {
      const criteria = `not ticker:"${mode}"`;
      proxy.behave(mode, 'search');
      await expectUnavailable(() => catalog.get(searchPath('pools', { criteria })));
      // A response of the last second may come from the cache.
      if (mode !== 'partial' && mode !== 'timed-out')
        await eventually(() => expectUnavailable(() => catalog.get(SCHEMA)));
      proxy.behave('pass', '');
      expect(await catalog.search('pools', { criteria })).toEqual([{ source: 'TOUCAN', name: 'A' }]);
      expect((await catalog.get(SCHEMA)).status).toBe(200);
    },
  );

  it('retries once after an immediate failure, and not after a slow one', async () => {
    const searches = () => proxy.requests.filter((question) => question.includes('_search')).length;
    for (const [mode, times] of [
      ['unavailable', 2],
      ['timed-out', 1],
    ] as const) {
      const before = searches();
      proxy.behave(mode, '_search');
      await catalog.get(searchPath('pools', { criteria: `not ticker:"${times} ${mode}"` }));
      expect(searches() - before).toBe(times);
    }
  });

  it('requests the statistics of both types in one call, if there are assets of both', async () => {
    const before = proxy.requests.length;
    const requestsSince = () =>
      proxy.requests.slice(before).filter((question) => /_msearch|_search|_settings/.test(question));
    await eventually(async () => {
      await catalog.get(SCHEMA);
      expect(requestsSince()).not.toEqual([]);
    });
    expect(requestsSince()).toEqual([expect.stringContaining('_msearch')]);
  });
});
