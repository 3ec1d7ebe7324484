import { RESULT_FIELDS } from '@carbon/contracts';
import type { Answer } from './load/client.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

type Found = Record<string, unknown>;

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines();
}, 120_000);
afterAll(() => app.stop());

async function search(resource: 'pools' | 'projects', criteria: string, fullTextSearch: string): Promise<Answer> {
  return app.client.get(`/v1/assets/${resource}?${new URLSearchParams({ criteria, fullTextSearch })}`);
}

async function found(...query: Parameters<typeof search>): Promise<Found[]> {
  const answer = await search(...query);
  if (answer.kind !== 'answer' || answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.body as Found[];
}

describe('the search for pools', () => {
  it('answers a JSON array of all pools when both parameters are empty', async () => {
    const pools = await found('pools', '', '');
    expect(pools.map(({ ticker }) => ticker).sort()).toEqual(
      ['BCT', 'CHAR', 'MCO2', 'NBO', 'NCT', 'UBO', 'REDD'].sort(),
    );
  });

  it('filters by criteria, and shows only the six fields', async () => {
    const pools = await found('pools', 'source: TOUCAN and ticker in (BCT, NCT)', '');
    expect(pools.map(({ ticker }) => ticker).sort()).toEqual(['BCT', 'NCT']);
    for (const pool of pools) expect(Object.keys(pool).sort()).toEqual([...RESULT_FIELDS].sort());
    expect(pools[0]).toMatchObject({
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      source: 'TOUCAN',
      rating: expect.any(Number),
      description: expect.any(String),
      name: expect.any(String),
    });
  });

  it('finds by words of the description or name', async () => {
    expect((await found('pools', '', 'nature carbon')).map(({ ticker }) => ticker)[0]).toBe('NCT');
    expect(await found('pools', '', 'zzzxxyy')).toEqual([]);
  });
});

describe('the search for projects', () => {
  it('filters by country and vintage', async () => {
    const projects = await found('projects', 'country: Brazil and vintages: 2012..2020', '');
    expect(projects.length).toBeGreaterThan(5);
    const abroad = await found('projects', 'country: Brazil and vintages: 2012..2020 and country != Brazil', '');
    expect(abroad).toEqual([]);
  });

  it('combines criteria with words', async () => {
    const all = await found('projects', 'country: Brazil', '');
    const some = await found('projects', 'country: Brazil', 'forest');
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length + 1);
  });

  it('pages through every project once', async () => {
    const seen: unknown[] = [];
    for (
      let path: string | undefined = '/v1/assets/projects?criteria=&fullTextSearch=&limit=50';
      path !== undefined;
    ) {
      const answer: Answer = await app.client.get(path);
      if (answer.kind !== 'answer' || answer.status !== 200) throw new Error(JSON.stringify(answer));
      seen.push(...(answer.body as Found[]).map((project) => JSON.stringify(project)));
      path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1];
    }
    expect(seen).toHaveLength(231 + 58);
  });
});

describe('what a client asks of the results', () => {
  const address = (more: Record<string, string>, resource = 'projects') =>
    `/v1/assets/${resource}?${new URLSearchParams({ criteria: '', fullTextSearch: '', ...more })}`;

  async function page(path: string, headers: Record<string, string> = {}) {
    const answer = await app.client.get(path, headers);
    if (answer.kind !== 'answer') throw new Error(JSON.stringify(answer));
    return answer;
  }

  it('is told on every page how many there are', async () => {
    const criteria = 'country: Brazil';
    const all = await found('projects', criteria, '');
    const first = await page(address({ criteria, limit: '2' }));
    const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
    for (const { headers } of [first, await page(next)]) expect(headers['x-total-count']).toBe(String(all.length));
  });

  it('is ordered as wished, the absent last', async () => {
    const { body } = await page(address({ sort: '-price,name', fields: 'price', limit: '100' }));
    const prices = (body as Found[]).map(({ price }) =>
      price === undefined ? Number.NEGATIVE_INFINITY : Number(price),
    );
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    expect(new Set(prices).size).toBeGreaterThan(5);
  });

  it('has the fields that are named, or all', async () => {
    const { body: named } = await page(address({ criteria: 'ticker:BCT', fields: 'id,chain' }, 'pools'));
    expect(named).toEqual([{ id: 'pool_bct', chain: expect.any(String) }]);
    const { body: all } = await page(address({ criteria: 'ticker:BCT', fields: '*' }, 'pools'));
    expect(all).toEqual([expect.objectContaining({ id: 'pool_bct', price: expect.any(Number), active: true })]);
    expect((all as Found[])[0]).not.toHaveProperty('type');
  });

  it('need not be sent again to who has it', async () => {
    const path = address({ sort: 'name' });
    const first = await page(path);
    const again = await page(path, { 'if-none-match': `W/"other", ${first.headers.etag}` });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, undefined, first.headers.etag]);
    expect((await page(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('can be looked up: which fields there are, and what stands in them', async () => {
    const { status, body, headers } = await page('/v1/assets/schema');
    expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=1']);
    expect(body).toMatchObject({ pools: { total: 7 }, projects: { total: 231 + 58 } });
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
    const answer = await search('pools', 'source: TOUCAN and tiker: BCT', '');
    expect(answer).toMatchObject({
      status: 400,
      headers: { 'content-type': expect.stringContaining('application/problem+json') },
      body: {
        type: '/problems/invalid_criteria',
        errors: [{ code: 'unknown_field', position: 19, length: 5, suggestion: 'ticker' }],
        snippet: expect.stringContaining('^^^^^'),
      },
    });
  });
});
