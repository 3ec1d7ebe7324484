import { metricValue, readExposition } from '@carbon/testing';
import { asset } from '../testing/library.js';
import { freshLibrary, proxiedCatalogWith } from '../testing/set-up.js';
import { SearchWarmUp } from './search-warm-up.js';

const BUDGET_MS = 700;
const SETTINGS = { SEARCH_WARM_UP_MS: String(BUDGET_MS) };

describe('the searches before the catalog is ready', () => {
  const { library, start } = freshLibrary();

  it('are of both types, and reach OpenSearch', async () => {
    await library.publish(asset('pool_1'), asset('proj_1'));
    // The first search of a new OpenSearch may take a second.
    const catalog = await start({ SEARCH_WARM_UP_MS: '10000' });
    const exposition = readExposition(await (await fetch(`${catalog.url}/metrics`)).text());
    for (const type of ['POOL', 'PROJECT']) {
      const labels = { type, source: 'opensearch' };
      expect(metricValue(exposition, 'carbon_catalog_searches_total', labels)).toBeGreaterThan(3);
    }
  });
});

describe('the searches before the catalog is ready, when OpenSearch fails', () => {
  const { catalog, proxy } = proxiedCatalogWith([], SETTINGS);

  it.each(['unavailable', 'hold'] as const)('end in time: %s', async (behavior) => {
    proxy.behave(behavior, '_search');
    const begun = performance.now();
    await catalog.app.get(SearchWarmUp).run();
    const ms = performance.now() - begun;
    expect([ms >= BUDGET_MS - 1, ms < 10 * BUDGET_MS]).toEqual([true, true]);
  });
});
