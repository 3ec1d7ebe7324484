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
      '/v1/assets/pools?criteria=&fullTextSearch=&fields=id',
      'invalid_request',
      'fields',
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
