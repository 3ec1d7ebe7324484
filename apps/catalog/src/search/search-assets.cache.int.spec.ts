import { request } from 'node:http';
import { eventually, testEngines } from '@carbon/testing';
import { FROM_GATEWAY, type Parameters, searchPath } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { proxiedCatalogWith } from '../testing/set-up.js';

type RequestOptions = { readonly path?: string; readonly method?: string; readonly has?: string };

describe('a search that was requested a moment ago', () => {
  const assets = ['a', 'b', 'c'].map((end) => asset(`pool_${end}`, { ticker: end, rating: 1 }));
  const { library, catalog, proxy } = proxiedCatalogWith(assets, { SEARCH_TIMEOUT_MS: '6000' });

  const searches = (list: readonly string[]) => list.filter((question) => question.includes('_search')).length;

  /** Counts the searches that OpenSearch receives while `work` runs. */
  async function countRequests(work: () => Promise<unknown>): Promise<number> {
    const before = searches(proxy.requests);
    await work();
    return searches(proxy.requests) - before;
  }

  it('is sent to OpenSearch once for concurrent requests', async () => {
    const path = searchPath('pools', { criteria: 'rating:1' });
    expect(await countRequests(() => Promise.all(Array.from({ length: 50 }, () => catalog.get(path))))).toBe(1);
  });

  it('is sent once for all spellings of the same criteria, words and fields', async () => {
    const spellings = [
      { criteria: 'ticker:a AND rating >= 0', fullTextSearch: 'pool_a', fields: 'id,name' },
      { criteria: '(ticker = "a") rating>=0.0', fullTextSearch: '  pool_a ', fields: 'name,id' },
    ];
    const ask = () => Promise.all(spellings.map((parameters) => catalog.search('pools', parameters)));
    expect(await countRequests(ask)).toBe(1);
  });

  it('returns a separate next link for each account', async () => {
    const path = searchPath('pools', { criteria: 'rating:1 or rating:2', limit: 1 });
    const links = new Set<string | null>();
    const ask = async () => {
      for (const account of ['one', 'two'])
        links.add((await catalog.get(path, { 'x-account': account })).headers.get('link'));
    };
    expect(await countRequests(ask)).toBe(1);
    expect(links.size).toBe(2);
  });

  it('is a different search with other criteria, words, order, fields or limit', async () => {
    const others: Parameters[] = [
      { criteria: 'ticker:b' },
      { fullTextSearch: 'b' },
      { sort: 'name' },
      { fields: 'id' },
      { limit: 1 },
    ];
    for (const [number, other] of others.entries()) {
      const base = { criteria: `not ticker:"${number}"` };
      const ask = async () => {
        await catalog.search('pools', base);
        await catalog.search('pools', { ...base, ...other });
      };
      expect([other, await countRequests(ask)]).toEqual([other, 2]);
    }
  });

  it('shows a change within a second after it is indexed', async () => {
    const criteria = 'ticker:new';
    expect(await catalog.search('pools', { criteria })).toEqual([]);
    await library.publish(asset('pool_new', { ticker: 'new' }));
    await eventually(async () => {
      const direct = await fetch(`${testEngines().opensearchUrl}/${library.prefix}pools/_count?q=ticker:new`);
      expect(await direct.json()).toMatchObject({ count: 1 });
    });
    const since = performance.now();
    // A response that is more than a second old here was fetched after the change was indexed.
    for (;;) {
      const late = performance.now() - since > 1_000;
      const found = await catalog.search('pools', { criteria });
      if (found.length === 1) break;
      expect(late).toBe(false);
    }
  });

  describe('by a client that disconnects before the response', () => {
    /** Sends a search, and returns how to disconnect once OpenSearch has received it. */
    async function askAndLeave(criteria: string): Promise<() => void> {
      const before = searches(proxy.requests);
      const headers = { ...FROM_GATEWAY, 'x-account': 'default' };
      const question = request(catalog.url + searchPath('pools', { criteria }), { headers, agent: false });
      question.on('error', () => {}).end();
      await eventually(() => expect(searches(proxy.requests)).toBe(before + 1));
      return () => void question.destroy();
    }

    beforeEach(() => proxy.behave('hold', '_search'));

    it('is aborted', async () => {
      const before = searches(proxy.abortedRequests);
      const leave = await askAndLeave('ticker:left');
      leave();
      // Before its deadline.
      await eventually(() => expect(searches(proxy.abortedRequests)).toBe(before + 1), { within: 5_000 });
    });

    it('continues for another client that still waits', async () => {
      const before = searches(proxy.abortedRequests);
      const leave = await askAndLeave('ticker:shared');
      const other = catalog.get(searchPath('pools', { criteria: 'ticker = "shared"' }));
      await eventually(async () => expect(await catalog.get('/health/live')).toMatchObject({ status: 200 }));
      leave();
      expect(searches(proxy.abortedRequests)).toBe(before);
      expect((await other).status).toBe(503);
      await eventually(() => expect(searches(proxy.abortedRequests)).toBe(before + 1));
    });
  });

  describe('by a client that has the response already', () => {
    const path = searchPath('pools', { limit: 2 });
    const ask = async (more: RequestOptions = {}) => {
      const headers = { ...FROM_GATEWAY, 'x-account': 'default', ...(more.has && { 'if-none-match': more.has }) };
      const response = await fetch(catalog.url + (more.path ?? path), { method: more.method ?? 'GET', headers });
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
    const etagOf = async (more?: RequestOptions) => (await ask(more)).headers.get('etag') ?? '';

    it('is 304, with the tag and the cache headers, without a body', async () => {
      const etag = await etagOf();
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const has of [etag, `"other", W/${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers, body } = await ask({ method, has });
          expect([status, body]).toEqual([304, '']);
          expect([headers.get('etag'), headers.get('cache-control')]).toEqual([etag, 'private, max-age=1']);
          const others = ['content-type', 'content-length', 'link', 'x-total-count'].map((name) => headers.get(name));
          expect(others).toEqual([null, null, null, null]);
        }
      }
    });

    it('is 200 for any other tag, and invalid requests still get errors', async () => {
      expect(await ask({ has: '"other"' })).toMatchObject({ status: 200, body: expect.stringMatching(/^\[/) });
      expect((await ask({ path: '/v1/assets/pools?criteria=', has: '*' })).status).toBe(400);
    });

    it('responds to HEAD like to GET, with the length of the body and without the body', async () => {
      const [got, head] = [await ask(), await ask({ method: 'HEAD' })];
      expect([head.status, head.body]).toEqual([200, '']);
      for (const name of ['etag', 'link', 'x-total-count', 'content-length', 'content-type', 'cache-control']) {
        expect(head.headers.get(name)).toBe(got.headers.get(name));
      }
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(got.body)));
    });

    it('is 200 with another tag when only the total has changed', async () => {
      const [etag, before] = [await etagOf(), Number((await ask()).headers.get('x-total-count'))];
      await library.publish(asset('pool_z', { rating: 0 }));
      const { headers, body } = await eventually(async () => {
        const answer = await ask({ has: etag });
        expect(answer.status).toBe(200);
        return answer;
      });
      expect([headers.get('x-total-count'), JSON.parse(body).length]).toEqual([String(before + 1), 2]);
    });
  });
});
