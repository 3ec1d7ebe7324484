import { request } from 'node:http';
import { eventually, testEngines } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { FROM_GATEWAY, searchPath, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { type ProxiedCatalog, startProxiedCatalog } from '../test-catalog-with.js';
import type { OpenSearchProxy } from '../test-proxy.js';

describe('a search that was asked a moment ago', () => {
  let library: TestLibrary;
  let proxied: ProxiedCatalog;
  let proxy: OpenSearchProxy;
  let catalog: TestCatalog;

  beforeAll(async () => {
    library = await testLibrary();
    await library.publish(...['a', 'b'].map((end) => asset(`pool_${end}`, { ticker: end, rating: 1 })));
    proxied = await startProxiedCatalog(library.prefix, { SEARCH_TIMEOUT_MS: '6000' });
    ({ catalog, proxy } = proxied);
  });

  afterAll(async () => {
    await proxied.close();
    await library.close();
  });

  const searches = (list: readonly string[]) => list.filter((question) => question.includes('_search')).length;

  /** How many searches OpenSearch is asked while something is done. */
  async function asked(work: () => Promise<unknown>): Promise<number> {
    const before = searches(proxy.asked);
    await work();
    return searches(proxy.asked) - before;
  }

  it('is asked once by many at a time', async () => {
    const path = searchPath('pools', { criteria: 'rating:1' });
    const crowd = () => Promise.all(Array.from({ length: 50 }, () => catalog.get(path)));
    expect(await asked(crowd)).toBe(1);
  });

  it('is asked once for all spellings of the same criteria, words and fields', async () => {
    const spellings = [
      { criteria: 'ticker:a AND rating >= 0', fullTextSearch: 'pool_a', fields: 'id,name' },
      { criteria: '(ticker = "a") rating>=0.0', fullTextSearch: '  pool_a ', fields: 'name,id' },
    ];
    const ask = () => Promise.all(spellings.map((parameters) => catalog.search('pools', parameters)));
    expect(await asked(ask)).toBe(1);
  });

  it('gives each account a link of its own to the same page', async () => {
    const path = searchPath('pools', { criteria: 'rating:1 or rating:2', limit: 1 });
    const links: (string | null)[] = [];
    const ask = async () => {
      for (const account of ['one', 'two']) {
        const { status, headers } = await catalog.get(path, { 'x-account': account });
        expect(status).toBe(200);
        links.push(headers.get('link'));
      }
    };
    expect(await asked(ask)).toBe(1);
    expect(new Set(links).size).toBe(2);
  });

  it.each([
    ['criteria', { criteria: 'ticker:b' }],
    ['words', { fullTextSearch: 'b' }],
    ['an order', { sort: 'name' }],
    ['fields', { fields: 'id' }],
    ['a limit', { limit: 1 }],
  ])('is another search with %s', async (what, more) => {
    const base = { criteria: `not ticker:"${what}"` };
    const ask = async () => {
      await catalog.search('pools', base);
      await catalog.search('pools', { ...base, ...more });
    };
    expect(await asked(ask)).toBe(2);
  });

  it('tells of a change within a second of its being in the index', async () => {
    const criteria = 'ticker:new';
    expect(await catalog.search('pools', { criteria })).toEqual([]);
    await library.publish(asset('pool_new', { ticker: 'new' }));
    await eventually(async () => {
      const direct = await fetch(`${testEngines().opensearchUrl}/${library.prefix}pools/_count?q=ticker:new`);
      expect(await direct.json()).toMatchObject({ count: 1 });
    });
    const since = performance.now();
    // An answer given later than a second from here was asked for when the change was in the index.
    for (;;) {
      const late = performance.now() - since > 1_000;
      const found = await catalog.search('pools', { criteria });
      if (found.length === 1) break;
      expect(late).toBe(false);
    }
  });

  describe('by one who has left before the answer', () => {
    /** Asks, and once OpenSearch is asked gives back how to leave. */
    async function askAndLeave(criteria: string): Promise<() => void> {
      const before = searches(proxy.asked);
      const path = searchPath('pools', { criteria });
      const question = request(catalog.url + path, {
        headers: { ...FROM_GATEWAY, 'x-account': 'default' },
        agent: false,
      });
      question.on('error', () => {}).end();
      await eventually(() => expect(searches(proxy.asked)).toBe(before + 1));
      return () => void question.destroy();
    }

    beforeEach(() => proxy.behave('hold', '_search'));
    afterEach(() => proxy.behave('pass', ''));

    it('is given up', async () => {
      const before = searches(proxy.givenUp);
      const leave = await askAndLeave('ticker:left');
      leave();
      // Before its time is over.
      await eventually(() => expect(searches(proxy.givenUp)).toBe(before + 1), { within: 5_000 });
    });

    it('goes on for another who still waits', async () => {
      const before = searches(proxy.givenUp);
      const leave = await askAndLeave('ticker:shared');
      const other = catalog.get(searchPath('pools', { criteria: 'ticker = "shared"' }));
      await eventually(async () => expect(await catalog.get('/health/live')).toMatchObject({ status: 200 }));
      leave();
      expect(searches(proxy.givenUp)).toBe(before);
      expect((await other).status).toBe(503);
      await eventually(() => expect(searches(proxy.givenUp)).toBe(before + 1));
    });
  });
});
