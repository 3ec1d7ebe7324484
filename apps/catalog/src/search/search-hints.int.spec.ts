import { readFileSync } from 'node:fs';
import { assetSchema, type SearchHints } from '@carbon/contracts';
import { searchPath } from '../testing/catalog.js';
import { catalogWith } from '../testing/set-up.js';

const LIBRARY = readFileSync(new URL('../../../../infra/data/assets.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => assetSchema.parse(JSON.parse(line)));

describe('a search of the starter library that finds nothing', () => {
  const { catalog } = catalogWith(...LIBRARY);

  async function hintsOf(criteria: string, fullTextSearch = '', kind: 'pools' | 'projects' = 'projects') {
    const { status, headers, body } = await catalog.get(searchPath(kind, { criteria, fullTextSearch }));
    expect([status, body, headers.get('x-total-count')]).toEqual([200, [], '0']);
    const path = headers.get('x-search-hints') ?? '';
    expect(path).toMatch(/^\/v1\/assets\/hints\?kind=(pools|projects)&criteria=[^&]*&fullTextSearch=[^&]*$/);
    const hints = await catalog.get(path);
    expect(hints.status).toBe(200);
    return hints.body as SearchHints;
  }

  it.each([
    ['country: UK', 'United Kingdom'],
    ['country: GB', 'United Kingdom'],
    ['country: USA', 'United States'],
    ['country: Brasil', 'Brazil'],
    ['country: Brazill', 'Brazil'],
    ['country: Deutschland', 'Germany'],
    ['country: Vietnam', 'Viet Nam'],
    ['country:Bra%', 'Brazil'],
    ["country LIKE 'Bra_il'", 'Brazil'],
    ["country LIKE 'Brs_il*'", undefined],
    ['country:United%20States', 'United States'],
    ['country: Austria', undefined],
    ['country: XX', undefined],
    ['categories: forest', 'forestry'],
    ['registry: "Gold Standart"', 'Gold Standard'],
    ['source: VERA', 'VERRA'],
    ['not country exists and country in (Brasil, UK)', 'Brazil'],
  ])('has the near value first: %s', async (criteria, expected) => {
    const { total, clauses } = await hintsOf(criteria);
    const last = clauses.at(-1);
    expect([total, last?.parameter, last?.total, last?.values?.[0]?.near[0]]).toEqual([0, 'criteria', 0, expected]);
  });

  it('names only what each clause matches alone: counts of all, near values of those that match nothing', async () => {
    const { clauses } = await hintsOf('(country:Brasil or country:UK) and price >= 0 and -source:"no such"', 'forest');
    expect(clauses).toEqual([
      { parameter: 'fullTextSearch', text: 'forest', total: expect.any(Number) },
      {
        parameter: 'criteria',
        text: 'country = "Brasil" or country = "UK"',
        total: 0,
        values: [
          { field: 'country', value: 'Brasil', near: ['Brazil'] },
          { field: 'country', value: 'UK', near: ['United Kingdom'] },
        ],
      },
      { parameter: 'criteria', text: 'price >= 0', total: expect.any(Number) },
      { parameter: 'criteria', text: 'not source = "no such"', total: 289 },
    ]);
    const both = await hintsOf('country: Brazil', 'wind mongolia');
    expect(both.clauses.map(({ parameter, values }) => [parameter, values])).toEqual([
      ['fullTextSearch', undefined],
      ['criteria', undefined],
    ]);
  });

  it('counts at most 20 clauses and compares at most ten values', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `country: "Brasil ${n}"`).join(' and ');
    const { clauses } = await hintsOf(many);
    expect(clauses).toHaveLength(20);
    expect(clauses.filter(({ values }) => values !== undefined)).toHaveLength(10);
  });

  it('has another tag than the empty response to another search', async () => {
    const tags = await Promise.all(
      ['country: UK', 'country: Brasil'].map(async (criteria) => {
        return (await catalog.get(searchPath('projects', { criteria }))).headers.get('etag');
      }),
    );
    expect(new Set(tags).size).toBe(2);
  });

  it('has no header when it finds something', async () => {
    const { headers } = await catalog.get(searchPath('projects', { criteria: 'country: Brazil' }));
    expect(headers.get('x-search-hints')).toBeNull();
  });

  it.each([
    ['kind=pool&criteria=&fullTextSearch=', 'invalid_request', 'kind'],
    ['kind=pools&criteria=&fullTextSearch=&limit=3', 'invalid_request', 'limit'],
    ['kind=pools&criteria=country:UK&fullTextSearch=', 'invalid_criteria', 'criteria'],
  ])('refuses hints for %s', async (query, code, field) => {
    const { status, body } = await catalog.get(`/v1/assets/hints?${query}`);
    expect([status, body]).toMatchObject([400, { code, errors: [{ field }] }]);
  });
});

describe('a search of an empty library', () => {
  const { catalog } = catalogWith();

  it('has no hints when it asks for everything, and else no near values', async () => {
    expect((await catalog.get(searchPath('pools'))).headers.get('x-search-hints')).toBeNull();
    const { body } = await catalog.get('/v1/assets/hints?kind=pools&criteria=source:C4&fullTextSearch=');
    const values = [{ field: 'source', value: 'C4', near: [] }];
    expect(body).toEqual({ total: 0, clauses: [{ parameter: 'criteria', text: 'source = "C4"', total: 0, values }] });
  });
});
