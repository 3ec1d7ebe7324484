import type { Asset, FieldSchema, KindSchema, LibrarySchema } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { FROM_GATEWAY, searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';

const PATH = '/v1/assets/schema';

const POOLS: readonly Asset[] = [
  asset('pool_bct', { ticker: 'BCT', rating: 2.8, active: true, address: '0xAB', vintages: [2012, 2008] }),
  asset('pool_nct', { ticker: 'NCT', rating: -1.25, active: true, listedAt: '2024-01-01T01:00:00+02:00' }),
  asset('pool_ubo', {
    source: 'C3',
    ticker: 'UBO',
    active: false,
    listedAt: '2022-03-01T00:00:00Z',
    registry: 'Verra',
  }),
];

/** 60 countries: the first is that of 61 projects, the others of one or, every third, of two. */
const PROJECTS: readonly Asset[] = Array.from({ length: 60 }, (_, number) => {
  const country = `Country ${String(number).padStart(2, '0')}`;
  const some = number % 3 === 0 ? [asset(`proj_b-${number}`, { country })] : [];
  return [asset(`proj_a-${number}`, { country, categories: ['Forestry', 'forestry'] }), ...some];
}).flat();
const MANY = Array.from({ length: 60 }, (_, number) => asset(`proj_c-${number}`, { country: 'Country 00' }));

function fieldOf(kind: KindSchema, name: string): FieldSchema | undefined {
  return kind.fields.find((field) => field.name === name);
}

describe('the schema of the library', () => {
  const { library, catalog } = catalogWith();

  const schema = async () => {
    const { status, body } = await catalog.get(PATH);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as LibrarySchema;
  };

  it('tells of an empty library what can be asked, and when its index was made', async () => {
    const { pools, projects } = await schema();
    expect(Date.now() - Date.parse(pools.indexedAt)).toBeLessThan(120_000);
    expect(Date.parse(pools.indexedAt)).toBeLessThan(Date.now());
    expect([pools.total, projects.total]).toEqual([0, 0]);
    expect(fieldOf(projects, 'country')).toEqual({
      name: 'country',
      type: 'keyword',
      multi: false,
      operators: [':', '=', '!=', 'in', 'like', 'exists'],
      description: 'country of the project',
      values: [],
    });
    expect(fieldOf(pools, 'rating')).not.toHaveProperty('min');
  });

  describe('with assets', () => {
    let told: LibrarySchema;

    beforeAll(async () => {
      await library.publish(...POOLS, ...PROJECTS, ...MANY);
      told = await eventually(async () => {
        const now = await schema();
        expect([now.pools.total, now.projects.total]).toEqual([POOLS.length, PROJECTS.length + MANY.length]);
        return now;
      });
    });

    it('counts values as they were published, the commonest first, equals by value', () => {
      expect(fieldOf(told.pools, 'source')?.values).toEqual([
        { value: 'TOUCAN', count: 2 },
        { value: 'C3', count: 1 },
      ]);
      expect(fieldOf(told.pools, 'ticker')?.values?.map(({ value }) => value)).toEqual(['BCT', 'NCT', 'UBO']);
      expect(fieldOf(told.projects, 'categories')?.values).toEqual([
        { value: 'Forestry', count: 60 },
        { value: 'forestry', count: 60 },
      ]);
      expect(fieldOf(told.pools, 'active')?.values).toEqual([
        { value: true, count: 2 },
        { value: false, count: 1 },
      ]);
      expect(fieldOf(told.pools, 'vintages')).toMatchObject({
        values: [
          { value: 2008, count: 1 },
          { value: 2012, count: 1 },
        ],
        min: 2008,
        max: 2012,
      });
    });

    it('lists at most 50 values, and the right ones', () => {
      const values = fieldOf(told.projects, 'country')?.values ?? [];
      const expected = Array.from({ length: 60 }, (_, number) => ({
        value: `Country ${String(number).padStart(2, '0')}`,
        count: (number === 0 ? 60 : 0) + (number % 3 === 0 ? 2 : 1),
      })).sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
      expect(values).toEqual(expected.slice(0, 50));
    });

    it('lists no values of what names single assets', () => {
      for (const name of ['id', 'registryId', 'address', 'name', 'rating']) {
        expect(fieldOf(told.pools, name)).not.toHaveProperty('values');
      }
    });

    it('tells the least and greatest number and date, the latter in UTC', () => {
      expect(fieldOf(told.pools, 'rating')).toMatchObject({ min: -1.25, max: 2.8 });
      expect(fieldOf(told.pools, 'listedAt')).toMatchObject({
        min: '2022-03-01T00:00:00.000Z',
        max: '2023-12-31T23:00:00.000Z',
      });
      expect(fieldOf(told.pools, 'issued')).not.toHaveProperty('min');
    });

    it('grows fresher with a publication, of that type alone', async () => {
      const before = await schema();
      await library.publish(asset('pool_bct', { ticker: 'BCT', rating: 3 }));
      const after = await eventually(async () => {
        const now = await schema();
        expect(Date.parse(now.pools.indexedAt)).toBeGreaterThan(Date.parse(before.pools.indexedAt));
        return now;
      });
      expect(fieldOf(after.pools, 'rating')?.max).toBe(3);
      expect(after.projects.indexedAt).toBe(before.projects.indexedAt);
    });

    it('keeps the time of writing out of what searches can name and show', async () => {
      expect((await catalog.get(searchPath('pools', { criteria: 'indexedAt exists' }))).status).toBe(400);
      expect(fieldOf(told.pools, 'indexedAt')).toBeUndefined();
    });
  });

  it('answers 304 to who has it already, and a new tag once something has changed', async () => {
    const tagOf = async () => (await catalog.get(PATH)).headers.get('etag') ?? '';
    const etag = await tagOf();
    const again = await catalog.get(PATH, { 'x-account': 'default', 'if-none-match': etag });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag]);
    await library.publish(asset('pool_new'));
    await eventually(async () => expect(await tagOf()).not.toBe(etag));
    expect((await catalog.get(PATH, { 'x-account': 'default', 'if-none-match': etag })).status).toBe(200);
  });

  it('takes no parameters', async () => {
    const { status, body } = await catalog.get(`${PATH}?fields=id`);
    expect([status, body]).toMatchObject([
      400,
      { code: 'invalid_request', errors: [{ field: 'fields', code: 'unknown_parameter' }] },
    ]);
  });

  it('answers HEAD as GET, without the body', async () => {
    const response = await fetch(catalog.url + PATH, {
      method: 'HEAD',
      headers: { ...FROM_GATEWAY, 'x-account': 'default' },
    });
    expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual([
      200,
      'private, max-age=1',
      '',
    ]);
  });
});
