import { searchPath } from '../testing/catalog.js';
import { catalogWith } from '../testing/set-up.js';

interface Problem {
  readonly code: string;
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

  it.each<readonly [string, readonly string[]]>([
    ['/v1/assets/pools', ['criteria missing_parameter', 'fullTextSearch missing_parameter']],
    ['/v1/assets/projects?criteria=', ['fullTextSearch missing_parameter']],
    ['/v1/assets/projects?fullTextSearch=', ['criteria missing_parameter']],
    ['/v1/assets/pools?criteria=%ff&fullTextSearch=', ['criteria invalid_parameter']],
    [searchPath('pools', { fullTextSearch: '🌳'.repeat(257) }), ['fullTextSearch invalid_parameter']],
    ...['', '0', '101', '1.5'].map((limit) => [searchPath('pools', { limit }), ['limit invalid_parameter']] as const),
    [searchPath('pools', { cursor: '' }), ['cursor invalid_parameter']],
    [`${searchPath('pools')}&criteria=a`, ['criteria duplicate_parameter']],
    [`${searchPath('pools')}&sort=name&sort=id`, ['sort duplicate_parameter']],
    [`${searchPath('pools')}&order=name`, ['order unknown_parameter']],
    [`${searchPath('pools')}&x=%zz`, ['x unknown_parameter']],
    [`${searchPath('pools')}&`, [' unknown_parameter']],
    [`${searchPath('pools')}&limit=0&sort=-ratings&fields=tickr`, ['fields', 'sort', 'limit'].map(invalid)],
  ])('refuses %s', async (path, items) => {
    expect((await itemsOf(path))?.sort()).toEqual([...items].sort());
  });

  it('says how to encode an & that would have widened the search', async () => {
    const body = await problem('/v1/assets/pools?criteria=rating>3&&source:C3&fullTextSearch=');
    expect(JSON.stringify(body.errors)).toContain('%26');
  });

  it('points at the mistake in criteria', async () => {
    const body = await problem(searchPath('projects', { criteria: 'country: Brazil and vintages: 20x9' }));
    const place = { field: 'criteria', position: 30, length: 4 };
    expect(body).toMatchObject({
      code: 'invalid_criteria',
      snippet: 'country: Brazil and vintages: 20x9\n                              ^^^^',
      errors: [{ ...place, code: 'invalid_value', detail: expect.any(String), expectedType: 'integer' }],
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

function invalid(parameter: string): string {
  return `${parameter} invalid_parameter`;
}
