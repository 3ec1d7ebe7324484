import { type Asset, and, TimedOutError, where } from './index.js';
import {
  closeConnection,
  failure,
  json,
  neverRespond,
  problem,
  serviceOfFile,
  text,
  withOwnService,
} from './testing/service.js';

const service = serviceOfFile();

describe('a search', () => {
  const found = json(200, [{ ticker: 'BCT' }], { 'x-total-count': '7', etag: '"a"' });
  const sentParameters = () => Object.fromEntries(new URL(service.requests[0]?.path ?? '', service.url).searchParams);

  it.each([{}, { sort: [], fields: [] }])('searches for everything by default: %j', async (query) => {
    service.respondWith(found);
    const page = await service.client().pools.search(query).page();
    expect(page).toEqual({ items: [{ ticker: 'BCT' }], total: 7, etag: '"a"', cursor: undefined });
    expect(service.requests[0]?.path).toBe('/v1/assets/pools?criteria=&fullTextSearch=');
  });

  it('sends every parameter unchanged', async () => {
    service.respondWith(found);
    const criteria = where.projects(({ name, country }) =>
      and(name.words('a&b=c+d%20#"é"'), country.eq('Côte d’Ivoire')),
    );
    const fields = ['id', 'name'] as const;
    const query = { criteria, text: '"red & blue" + 1%', sort: ['-rating', 'name'], fields, limit: 3 } as const;
    await service
      .client()
      .projects.search({ ...query, cursor: 'x/y+z=' })
      .page();
    expect(sentParameters()).toEqual({
      criteria: 'name:"a&b=c+d%20#\\"é\\"" and country = "Côte d’Ivoire"',
      fullTextSearch: '"red & blue" + 1%',
      sort: '-rating,name',
      fields: 'id,name',
      limit: '3',
      cursor: 'x/y+z=',
    });
  });

  it('accepts criteria as text, and one field to sort by', async () => {
    service.respondWith(found);
    const criteria = 'source:TOUCAN && rating>2';
    await service
      .client()
      .pools.search({ criteria, sort: '-price', fields: ['*'] })
      .page();
    expect(sentParameters()).toEqual({ criteria, fullTextSearch: '', sort: '-price', fields: '*' });
  });

  it('has the URL of its hints when it finds nothing, and reads them', async () => {
    const url = '/v1/assets/hints?kind=projects&criteria=country:UK&fullTextSearch=a+b';
    const values = [{ field: 'country', value: 'UK', near: ['United Kingdom'] }];
    const hints = { total: 0, clauses: [{ parameter: 'criteria', text: 'country = "UK"', total: 0, values }] };
    service.respondWith(json(200, [], { 'x-total-count': '0', 'x-search-hints': url }), json(200, hints));
    const { projects } = service.client();
    const query = { criteria: 'country:UK', text: 'a b' };
    expect(await projects.search(query).page()).toMatchObject({ items: [], hints: url });
    expect(await projects.hints(query)).toEqual(hints);
    const sent = new URL(service.requests[1]?.path ?? '', service.url);
    expect([...sent.searchParams]).toEqual([...new URL(url, service.url).searchParams]);
  });

  it('counts by fields with the criteria and the text of a search', async () => {
    const facets = { total: 1, facets: [{ field: 'country', values: [{ value: 'Peru', count: 1, clause: 'x' }] }] };
    service.respondWith(json(200, facets));
    const { projects } = service.client();
    expect(await projects.facets({ criteria: 'rating > 2', text: 'a', fields: ['country', 'vintages'] })).toEqual(
      facets,
    );
    const sent = new URL(service.requests[0]?.path ?? '', service.url);
    expect([sent.pathname, Object.fromEntries(sent.searchParams)]).toEqual([
      '/v1/assets/facets',
      { kind: 'projects', criteria: 'rating > 2', fullTextSearch: 'a', fields: 'country,vintages' },
    ]);
  });

  it('completes criteria at a caret, by default at the end', async () => {
    const completions = [{ insert: 'country', kind: 'field', from: 0, to: 2 }];
    service.respondWith(json(200, { completions }));
    const { pools } = service.client();
    expect([await pools.complete('co', 2), await pools.complete('co')]).toEqual([completions, completions]);
    const paths = ['/v1/assets/complete?kind=pools&criteria=co&caret=2', '/v1/assets/complete?kind=pools&criteria=co'];
    expect(service.requests.map(({ path }) => path)).toEqual(paths);
  });

  it('returns undefined for an unchanged page', async () => {
    service.respondWith(text(304, '', { etag: '"a"' }), found);
    const { pools } = service.client();
    expect(await pools.pageIfChanged({ limit: 1 }, '"a"')).toBeUndefined();
    expect(service.requests[0]?.headers['if-none-match']).toBe('"a"');
    expect(await pools.pageIfChanged({ limit: 1 }, '"b"')).toMatchObject({ total: 7 });
  });

  it('is typed by the requested fields', () => {
    const { pools, projects } = service.client();
    const shown = (asset: Asset<'pools'>) => asset.ticker;
    // @ts-expect-error the price is included when it is requested
    const hidden = (asset: Asset<'pools'>) => asset.price;
    const all = (asset: Asset<'projects', '*'>) => [asset.country, asset.price];
    const named = (asset: Asset<'pools'>): readonly string[] => [asset.name, asset.source];
    const known = (asset: Asset<'projects', '*'> | Asset<'projects', 'id' | 'name'>): readonly string[] => [
      asset.id,
      asset.name,
    ];
    // @ts-expect-error not every pool has a ticker
    const unsure = (asset: Asset<'pools'>): string => asset.ticker;
    const misuses = [
      // @ts-expect-error pools have no country
      () => pools.search({ fields: ['country'] }),
      // @ts-expect-error nor can they be ordered by it
      () => pools.search({ sort: '-country' }),
      // @ts-expect-error a description orders nothing
      () => projects.search({ sort: 'description' }),
      // @ts-expect-error of another kind of asset
      () => projects.search({ criteria: where.pools(({ name }) => name.exists()) }),
    ];
    expect([shown, hidden, all, named, known, unsure, ...misuses]).toHaveLength(10);
  });
});

describe('waiting for an offset', () => {
  const times = { createdAt: '2026-03-02T10:15:30.123Z', updatedAt: '2026-03-02T10:15:30.123Z' };
  const recorded = { id: 'off_1', kgCO2e: 1, credits: 0.001, creditsMatched: 0, retirements: [], ...times };
  const queued = json(200, { id: 'off_1', status: 'queued' });
  const processing = json(200, { ...recorded, status: 'processing' });
  const completed = { ...recorded, status: 'completed', cost: 1, currency: 'USD', completedAt: times.createdAt };
  const failed = { ...recorded, status: 'failed', failure: { code: 'x', detail: 'y' }, failedAt: times.createdAt };

  it.each([completed, failed])('continues until it is $status', async (ended) => {
    service.respondWith(queued, processing, processing, json(200, ended));
    expect(await service.client().offsets.waitFor('off_1')).toEqual(ended);
    expect(service.requests).toHaveLength(4);
  });

  it('continues after a transient error', async () => {
    const [unavailable, limited] = [problem(503, 'service_unavailable'), problem(429, 'rate_limited')];
    service.respondWith(queued, closeConnection, unavailable, closeConnection, limited, json(200, completed));
    expect(await service.client({ tries: 2 }).offsets.waitFor('off_1')).toEqual(completed);
  });

  it('does not wait when the service asks to wait for longer than the time left', async () => {
    service.respondWith(queued, problem(429, 'rate_limited', {}, { 'retry-after': '120' }));
    const begun = performance.now();
    const error = await failure(service.client({ tries: 1 }).offsets.waitFor('off_1', { timeoutMs: 60_000 }));
    expect(error).toMatchObject({ name: 'TimedOutError', cause: { code: 'rate_limited' } });
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(service.requests).toHaveLength(2);
  });

  it('ends with any other error', async () => {
    service.respondWith(queued, problem(404, 'not_found'));
    await expect(service.client().offsets.waitFor('off_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('ends after its timeout with the failure of the last read, if it failed', () =>
    withOwnService(async (service) => {
      service.respondWith(processing, problem(503, 'service_unavailable'));
      const error = await failure(service.client({ tries: 1 }).offsets.waitFor('off_1', { timeoutMs: 500 }));
      expect(error).toBeInstanceOf(TimedOutError);
      expect(error).toMatchObject({ cause: { code: 'service_unavailable' } });
    }));

  it('ends after its timeout without a failure when that cuts a read', () =>
    withOwnService(async (service) => {
      service.respondWith(processing, neverRespond);
      const error = await failure(service.client().offsets.waitFor('off_1', { timeoutMs: 500 }));
      expect(error).toMatchObject({ detail: 'off_1 had not ended after 500 ms; it was processing' });
      expect((error as Error).cause).toBeUndefined();
    }));

  it('ends after its timeout, with the last status', () =>
    withOwnService(async (service) => {
      service.respondWith(processing);
      const begun = performance.now();
      const error = await failure(service.client().offsets.waitFor('off_1', { timeoutMs: 2_000 }));
      expect(error).toBeInstanceOf(TimedOutError);
      expect(error).toMatchObject({ detail: 'off_1 had not ended after 2000 ms; it was processing' });
      expect(performance.now() - begun).toBeLessThan(20_000);
      // Ten reads a second would be twenty: the client polls less and less often.
      expect(service.requests.length).toBeGreaterThan(2);
      expect(service.requests.length).toBeLessThanOrEqual(12);
    }));
});
