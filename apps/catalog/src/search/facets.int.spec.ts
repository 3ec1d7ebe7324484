import { readFileSync } from 'node:fs';
import { assetSchema, type Completions, FACET_FIELDS, type Facets } from '@carbon/contracts';
import fc from 'fast-check';
import { searchPath } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { catalogWith } from '../testing/set-up.js';

const LIBRARY = readFileSync(new URL('../../../../infra/data/assets.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => assetSchema.parse(JSON.parse(line)));
/** Spellings that criteria take for the same, and signs that they must escape. */
const ODD = ['Óland', 'oland', 'ÓLAND', 'a "quoted" *land*?', '\\', 'and', ' x '].map((country, at) =>
  asset(`proj_odd${at}`, { country, categories: ['Forestry', 'forestry', 'ﬁne'], vintages: [1990 + at] }),
);

/** The last year has no year after it. */
const LAST = asset('proj_last', { listedAt: '9999-06-01T00:00:00Z' });

type Kind = 'pools' | 'projects';

const { catalog } = catalogWith(...LIBRARY, ...ODD, LAST);

async function facetsOf(kind: Kind, criteria = '', more: Record<string, string> = {}): Promise<Facets> {
  const query = new URLSearchParams({ kind, criteria, fullTextSearch: '', ...more });
  const { status, body } = await catalog.get(`/v1/assets/facets?${query}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as Facets;
}

async function totalOf(kind: Kind, criteria: string, fullTextSearch = ''): Promise<number> {
  const { status, body, headers } = await catalog.get(searchPath(kind, { criteria, fullTextSearch, limit: '1' }));
  expect([criteria, status, body]).toEqual([criteria, 200, expect.any(Array)]);
  return Number(headers.get('x-total-count'));
}

const partsOf = ({ values = [], ranges = [], missing }: Facets['facets'][number]) => [
  ...values,
  ...ranges,
  ...(missing ? [missing] : []),
];

describe('GET /v1/assets/facets', () => {
  it('has counts that are the totals of the narrowed searches, whatever the search', async () => {
    const all = { pools: await facetsOf('pools'), projects: await facetsOf('projects') };
    const clauses = (kind: Kind) => all[kind].facets.flatMap(partsOf).map(({ clause }) => clause);
    const search = fc.constantFrom<Kind>('pools', 'projects').chain((kind) => {
      const term = fc.constantFrom('', ...clauses(kind));
      const joined = fc.tuple(term, fc.constantFrom(' and ', ' or ', ' and not '), term);
      const criteria = joined.map(([a, by, b]) => (a !== '' && b !== '' ? a + by + b : a + b));
      return fc.record({
        kind: fc.constant(kind),
        criteria,
        text: fc.constantFrom('', 'forest', 'carbon'),
        part: fc.nat(),
      });
    });
    await fc.assert(
      fc.asyncProperty(search, async ({ kind, criteria, text, part }) => {
        const { total, facets } = await facetsOf(kind, criteria, { fullTextSearch: text });
        expect(total).toBe(await totalOf(kind, criteria, text));
        const parts = facets.flatMap(partsOf);
        const { clause, count } = parts[part % Math.max(1, parts.length)] ?? { clause: '*', count: total };
        expect([clause, await totalOf(kind, criteria === '' ? clause : `(${criteria}) and ${clause}`, text)]).toEqual([
          clause,
          count,
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it('counts every part of the whole library right', async () => {
    for (const kind of ['pools', 'projects'] as const) {
      const { facets } = await facetsOf(kind);
      const parts = facets.flatMap(partsOf);
      const totals = await Promise.all(parts.map(({ clause }) => totalOf(kind, clause)));
      expect(parts.map(({ clause }, at) => [clause, totals[at]])).toEqual(
        parts.map(({ clause, count }) => [clause, count]),
      );
    }
  });

  it('joins spellings that criteria take for the same, and shows the most frequent', async () => {
    const { total, facets } = await facetsOf('projects', 'vintages < 1998 and id like "proj_odd*"', {
      fields: 'country,vintages',
    });
    expect(total).toBe(ODD.length);
    expect(facets.map(({ field }) => field)).toEqual(['country', 'vintages']);
    const [countries, vintages] = facets;
    expect(countries?.values?.[0]).toMatchObject({ count: 3, value: expect.stringMatching(/^[oó]land$/i) });
    expect(vintages?.values?.map(({ value }) => value)).toEqual(ODD.map((_, at) => 1990 + at));
  });

  it('names every field that cannot be counted by', async () => {
    const path = '/v1/assets/facets?kind=projects&criteria=&fullTextSearch=&fields=name,contry,country';
    const { status, body } = await catalog.get(path);
    expect([status, body]).toMatchObject([
      400,
      { code: 'invalid_request', errors: [{ field: 'fields' }, { field: 'fields' }] },
    ]);
  });

  it('has a facet for every field of the kind by default', async () => {
    const { facets } = await facetsOf('projects');
    expect(facets.map(({ field }) => field)).toEqual([...FACET_FIELDS]);
    expect((await facetsOf('pools')).facets.map(({ field }) => field)).not.toContain('country');
  });
});

describe('GET /v1/assets/complete', () => {
  async function completionsOf(criteria: string, caret?: number): Promise<Completions['completions']> {
    const query = new URLSearchParams({
      kind: 'projects',
      criteria,
      ...(caret !== undefined && { caret: String(caret) }),
    });
    const { status, body } = await catalog.get(`/v1/assets/complete?${query}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    return (body as Completions).completions;
  }

  it('offers values of the library, which find as many assets as they say, before what else may stand there', async () => {
    const values = (await completionsOf('country = ')).filter(({ kind }) => kind === 'value');
    expect(values.length).toBeGreaterThan(10);
    for (const { insert, count, from, to } of values.slice(0, 5)) {
      expect([from, to]).toEqual([10, 10]);
      expect([insert, await totalOf('projects', `country = ${insert}`)]).toEqual([insert, count]);
    }
  });

  it.each([
    ['country = Bra', undefined, '"Brazil"', 10],
    ['country = "bRA', undefined, '"Brazil"', 10],
    ['country in (Peru, "united st', undefined, '"United States"', 18],
    ['vintages: 201', undefined, '2015', 10],
    ['active = ', undefined, 'true', 9],
    ['coun', undefined, 'country', 0],
    ['co = Brazil', 2, 'country', 0],
    ['country = Brazil ', undefined, 'and', 17],
  ])('completes %j at %p with %j', async (criteria, caret, insert, from) => {
    expect(await completionsOf(criteria, caret)).toContainEqual(
      expect.objectContaining({ insert, from, to: caret ?? criteria.length }),
    );
  });

  it('refuses a caret beyond the end', async () => {
    const { status, body } = await catalog.get('/v1/assets/complete?kind=pools&criteria=a&caret=2');
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'caret' }] }]);
  });
});
