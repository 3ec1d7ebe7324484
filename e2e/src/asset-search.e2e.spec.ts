import { and, type SearchQuery, where } from '@carbon/client';
import { RESULT_FIELDS } from '@carbon/contracts';
import { systemOnSharedEngines, type TestSystem } from './system.js';

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines({ apps: { offsets: { instances: 0 } } });
}, 120_000);
afterAll(() => app.stop());

/** The first page of pools as a program gets it. */
async function pools(query: SearchQuery<'pools'>) {
  return (await app.carbon.pools.search(query).page()).items;
}

/** Likewise of projects. */
async function projects(query: SearchQuery<'projects'>) {
  return (await app.carbon.projects.search(query).page()).items;
}

describe('the search for pools', () => {
  it('answers a JSON array of all pools when both parameters are empty', async () => {
    const found = await pools({});
    expect(found.map(({ ticker }) => ticker).sort()).toEqual(
      ['BCT', 'CHAR', 'MCO2', 'NBO', 'NCT', 'UBO', 'REDD'].sort(),
    );
  });

  it('filters by criteria, and shows only the six fields', async () => {
    const found = await pools({ criteria: 'source: TOUCAN and ticker in (BCT, NCT)' });
    expect(found.map(({ ticker }) => ticker).sort()).toEqual(['BCT', 'NCT']);
    for (const pool of found) expect(Object.keys(pool).sort()).toEqual([...RESULT_FIELDS].sort());
    expect(found[0]).toMatchObject({
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      source: 'TOUCAN',
      rating: expect.any(Number),
      description: expect.any(String),
      name: expect.any(String),
    });
  });

  it('finds the same by criteria that are built as by those that are written', async () => {
    const built = where.pools(({ source, ticker }) => and(source.eq('TOUCAN'), ticker.in(['BCT', 'NCT'])));
    expect(await pools({ criteria: built })).toEqual(
      await pools({ criteria: 'source: TOUCAN and ticker in (BCT, NCT)' }),
    );
  });

  it('finds by words of the description or name', async () => {
    expect((await pools({ text: 'nature carbon' }))[0]?.ticker).toBe('NCT');
    expect(await pools({ text: 'zzzxxyy' })).toEqual([]);
  });
});

describe('the search for projects', () => {
  it('filters by country and vintage', async () => {
    const found = await projects({ criteria: 'country: Brazil and vintages: 2012..2020' });
    expect(found.length).toBeGreaterThan(5);
    const abroad = await projects({ criteria: 'country: Brazil and vintages: 2012..2020 and country != Brazil' });
    expect(abroad).toEqual([]);
  });

  it('combines criteria with words', async () => {
    const all = await projects({ criteria: 'country: Brazil' });
    const some = await projects({ criteria: 'country: Brazil', text: 'forest' });
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length + 1);
  });

  it('pages through every project once', async () => {
    const seen: unknown[] = [];
    for await (const project of app.carbon.projects.search({ limit: 50 })) seen.push(JSON.stringify(project));
    expect(seen).toHaveLength(231 + 58);
  });
});

describe('what a client asks of the results', () => {
  it('is told on every page how many there are', async () => {
    const criteria = 'country: Brazil';
    const all = await projects({ criteria });
    const totals: number[] = [];
    for await (const { total } of app.carbon.projects.search({ criteria, limit: 2 }).pages()) totals.push(total);
    expect(totals).toEqual(new Array(Math.ceil(all.length / 2)).fill(all.length));
  });

  it('is ordered as wished, the absent last', async () => {
    const { items } = await app.carbon.projects
      .search({ sort: ['-price', 'name'], fields: ['price'], limit: 100 })
      .page();
    const prices = items.map(({ price }) => (price === undefined ? Number.NEGATIVE_INFINITY : price));
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    expect(new Set(prices).size).toBeGreaterThan(5);
  });

  it('has the fields that are named, or all', async () => {
    const { items: named } = await app.carbon.pools.search({ criteria: 'ticker:BCT', fields: ['id', 'chain'] }).page();
    expect(named).toEqual([{ id: 'pool_bct', chain: expect.any(String) }]);
    const all = await app.client.get('/v1/assets/pools?criteria=ticker:BCT&fullTextSearch=&fields=*');
    const body = [expect.objectContaining({ id: 'pool_bct', price: expect.any(Number), active: true })];
    expect(all).toMatchObject({ status: 200, body });
    expect(all).not.toHaveProperty(['body', 0, 'type']);
  });

  it('need not be sent again to who has it', async () => {
    const query = { sort: 'name' } as const;
    const { etag = '' } = await app.carbon.projects.search(query).page();
    expect(await app.carbon.projects.pageIfChanged(query, etag)).toBeUndefined();
    expect(await app.carbon.projects.pageIfChanged(query, '"other"')).toMatchObject({ etag, total: 231 + 58 });

    const path = '/v1/assets/projects?criteria=&fullTextSearch=&sort=name';
    expect(await app.client.get(path, { 'if-none-match': `W/"other", ${etag}` })).toMatchObject({
      status: 304,
      body: undefined,
      headers: { etag },
    });
  });

  it('can be looked up: which fields there are, and what stands in them', async () => {
    expect(await app.carbon.assets.schema()).toMatchObject({ pools: { total: 7 }, projects: { total: 231 + 58 } });
    const raw = await app.client.get('/v1/assets/schema');
    expect(raw).toMatchObject({ status: 200, headers: { 'cache-control': 'private, max-age=1' } });
  });
});

describe('a search that cannot be understood', () => {
  it.each([
    ['criteria left out', '/v1/assets/pools?fullTextSearch=', 'invalid_request', 'criteria', 'missing_parameter'],
    [
      'fullTextSearch left out',
      '/v1/assets/projects?criteria=',
      'invalid_request',
      'fullTextSearch',
      'missing_parameter',
    ],
    [
      'a parameter not served',
      '/v1/assets/pools?criteria=&fullTextSearch=&order=name',
      'invalid_request',
      'order',
      'unknown_parameter',
    ],
    [
      'a parameter sent twice',
      '/v1/assets/pools?criteria=&criteria=&fullTextSearch=',
      'invalid_request',
      'criteria',
      'duplicate_parameter',
    ],
    [
      'a field that does not exist',
      '/v1/assets/pools?criteria=tiker:BCT&fullTextSearch=',
      'invalid_criteria',
      'criteria',
      'unknown_field',
    ],
  ])('is answered with 400 for %s', async (_, path, code, field, item) => {
    const answer = await app.client.get(path);
    expect(answer).toMatchObject({ status: 400, body: { code, errors: [{ field, code: item }] } });
  });

  it('is pointed at, with a suggestion', async () => {
    const search = app.carbon.pools.search({ criteria: 'source: TOUCAN and tiker: BCT' }).page();
    await expect(search).rejects.toMatchObject({
      name: 'InvalidCriteriaError',
      status: 400,
      errors: [{ code: 'unknown_field', position: 19, length: 5, suggestion: 'ticker' }],
      snippet: expect.stringContaining('^^^^^'),
    });
  });
});
