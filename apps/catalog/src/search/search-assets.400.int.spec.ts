import { searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';

interface Problem {
  readonly code: string;
  readonly snippet?: string;
  readonly errors?: readonly { readonly field: string; readonly code: string }[];
}

describe('a search that is wrong', () => {
  const { catalog } = catalogWith();

  async function problem(path: string, sent?: Record<string, string>): Promise<Problem> {
    const { status, headers, body } = await catalog.get(path, sent);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ status: 400, type: `/problems/${(body as Problem).code}`, title: expect.any(String) });
    expect(body).toHaveProperty('instance', headers.get('x-request-id'));
    return body as Problem;
  }
  const itemsOf = async (path: string) => (await problem(path)).errors?.map(({ field, code }) => `${field} ${code}`);

  it('takes nobody for an account of ours who does not say which', async () => {
    expect((await problem(searchPath('pools'), {})).errors).toEqual([
      expect.objectContaining({ field: 'x-account', code: 'invalid_header' }),
    ]);
  });

  it.each(['pools', 'projects'])('needs both parameters (%s)', async (kind) => {
    expect(await itemsOf(`/v1/assets/${kind}`)).toEqual([
      'criteria missing_parameter',
      'fullTextSearch missing_parameter',
    ]);
    expect(await itemsOf(`/v1/assets/${kind}?criteria=`)).toEqual(['fullTextSearch missing_parameter']);
    expect(await itemsOf(`/v1/assets/${kind}?fullTextSearch=`)).toEqual(['criteria missing_parameter']);
  });

  it.each([
    ['&limit=0', 'limit invalid_parameter'],
    ['&limit=101', 'limit invalid_parameter'],
    ['&limit=', 'limit invalid_parameter'],
    ['&limit=1.5', 'limit invalid_parameter'],
    ['&cursor=', 'cursor invalid_parameter'],
    ['&criteria=a', 'criteria duplicate_parameter'],
    ['&sort=', 'sort invalid_parameter'],
    ['&sort=description', 'sort invalid_parameter'],
    ['&sort=country', 'sort invalid_parameter'],
    ['&sort=name&sort=id', 'sort duplicate_parameter'],
    ['&fields=', 'fields invalid_parameter'],
    ['&fields=type', 'fields invalid_parameter'],
    ['&order=name', 'order unknown_parameter'],
    ['&x=%zz', 'x unknown_parameter'],
    ['&', ' unknown_parameter'],
  ])('refuses %s', async (more, item) => {
    expect(await itemsOf(`${searchPath('pools')}${more}`)).toEqual([item]);
  });

  it('says what was likely meant by a field that there is not', async () => {
    const { errors } = await problem(`${searchPath('pools')}&sort=-ratings&fields=id,tickr`);
    expect(errors).toEqual([
      {
        field: 'sort',
        code: 'invalid_parameter',
        detail: 'names ratings, which cannot be sorted by; did you mean rating?',
        suggestion: 'rating',
      },
      {
        field: 'fields',
        code: 'invalid_parameter',
        detail: 'names tickr, which is no field here; did you mean ticker?',
        suggestion: 'ticker',
      },
    ]);
  });

  it('refuses what is not UTF-8, and more than 256 characters', async () => {
    expect(await itemsOf('/v1/assets/pools?criteria=%ff&fullTextSearch=')).toEqual(['criteria invalid_parameter']);
    expect(await itemsOf(searchPath('pools', { fullTextSearch: '🌳'.repeat(257) }))).toEqual([
      'fullTextSearch invalid_parameter',
    ]);
  });

  it('says how to encode an & that would have widened the search', async () => {
    const body = await problem('/v1/assets/pools?criteria=rating>3&&source:C3&fullTextSearch=');
    expect(JSON.stringify(body.errors)).toContain('%26');
  });

  it('points at the mistake in criteria', async () => {
    const body = await problem(searchPath('projects', { criteria: 'country: Brazil and vintages: 20x9' }));
    expect(body).toMatchObject({
      code: 'invalid_criteria',
      snippet: 'country: Brazil and vintages: 20x9\n                              ^^^^',
      errors: [
        {
          field: 'criteria',
          code: 'invalid_value',
          detail: expect.any(String),
          position: 30,
          length: 4,
          expectedType: 'integer',
        },
      ],
    });
  });

  it('tells all mistakes in criteria at once', async () => {
    const { errors } = await problem(searchPath('pools', { criteria: 'tiker:BCT and rating:high and (source:C3' }));
    expect(errors).toEqual([
      expect.objectContaining({ code: 'unknown_field', suggestion: 'ticker' }),
      expect.objectContaining({ code: 'invalid_value', position: 21, length: 4 }),
      expect.objectContaining({ code: 'unbalanced_paren', position: 30, length: 1 }),
    ]);
  });

  it('says that a field is one of projects', async () => {
    const { errors } = await problem(searchPath('pools', { criteria: 'country:Brazil' }));
    expect(JSON.stringify(errors)).toContain('projects');
  });

  it.each(['x', 'AAAA', '%20', 'eyJhIjoxfQ'])('refuses the cursor %s', async (cursor) => {
    expect(await problem(`${searchPath('pools')}&cursor=${cursor}`)).toMatchObject({ code: 'invalid_cursor' });
  });
});
