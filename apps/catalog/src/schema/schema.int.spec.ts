import {
  ASSET_FIELDS,
  type Asset,
  type FieldSchema,
  fieldsOf,
  type KindSchema,
  type LibrarySchema,
} from '@carbon/contracts';
import { operatorsOf } from '@carbon/criteria';
import { eventually } from '@carbon/testing';
import { FROM_GATEWAY, searchPath } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { catalogWith } from '../testing/set-up.js';

const PATH = '/v1/assets/schema';

const POOLS: readonly Asset[] = [
  asset('pool_bct', { ticker: 'BCT', rating: 2.8, active: true, issued: 0, vintages: [2012, 2008] }),
  asset('pool_nct', { ticker: 'NCT', rating: -1.25, active: true, listedAt: '2024-01-01T01:00:00+02:00' }),
  asset('pool_ubo', { source: 'C3', ticker: 'UBO', active: false, listedAt: '2022-03-01T00:00:00Z' }),
];

/** 60 countries: the first has 62 projects, the others one or, every third, two. */
const PROJECTS: readonly Asset[] = Array.from({ length: 60 }, (_, number) => {
  const country = `Country ${String(number).padStart(2, '0')}`;
  const some = number % 3 === 0 ? [asset(`proj_b-${number}`, { country })] : [];
  const many = asset(`proj_c-${number}`, { country: 'Country 00' });
  return [asset(`proj_a-${number}`, { country, categories: ['Forestry', 'forestry'] }), ...some, many];
}).flat();

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

  it('describes the fields of an empty library, and when its index was created', async () => {
    const { pools, projects } = await schema();
    expect(Date.now() - Date.parse(pools.indexedAt)).toBeLessThan(120_000);
    expect(Date.parse(pools.indexedAt)).toBeLessThan(Date.now());
    expect([pools.total, projects.total]).toEqual([0, 0]);
    expect(projects.fields.map(({ name, description }) => [name, description])).toEqual(
      Object.entries(ASSET_FIELDS).map(([name, { description }]) => [name, description]),
    );
    expect(pools.fields.map(({ name }) => name)).toEqual(fieldsOf('POOL'));
    const countable = projects.fields.filter(({ type }) => ['keyword', 'address', 'boolean', 'integer'].includes(type));
    expect(countable.filter(({ values }) => !values).map(({ name }) => name)).toEqual(['id', 'address', 'registryId']);
    expect(projects.fields.filter(({ values }) => values)).toHaveLength(countable.length - 3);
    expect(fieldOf(projects, 'country')).toEqual({
      name: 'country',
      type: 'keyword',
      multi: false,
      operators: operatorsOf({ name: 'country', type: 'keyword', multi: false }),
      description: 'country of the project',
      values: [],
    });
    expect(fieldOf(pools, 'rating')).not.toHaveProperty('min');
  });

  describe('with assets', () => {
    let published: LibrarySchema;

    beforeAll(async () => {
      await library.publish(...POOLS, ...PROJECTS);
      published = await eventually(async () => {
        const now = await schema();
        expect([now.pools.total, now.projects.total]).toEqual([POOLS.length, PROJECTS.length]);
        return now;
      });
    });

    it('counts values as they were published, the most frequent first, equals by value, with the minimum and maximum', () => {
      const counted = (kind: KindSchema, name: string) => fieldOf(kind, name)?.values?.map((one) => Object.values(one));
      const { pools, projects } = published;
      expect({
        source: counted(pools, 'source'),
        ticker: counted(pools, 'ticker'),
        active: counted(pools, 'active'),
        categories: counted(projects, 'categories'),
      }).toEqual({
        source: [
          ['TOUCAN', 2],
          ['C3', 1],
        ],
        ticker: [
          ['BCT', 1],
          ['NCT', 1],
          ['UBO', 1],
        ],
        active: [
          [true, 2],
          [false, 1],
        ],
        categories: [
          ['Forestry', 60],
          ['forestry', 60],
        ],
      });
      const values = [
        { value: 2008, count: 1 },
        { value: 2012, count: 1 },
      ];
      expect(fieldOf(pools, 'vintages')).toMatchObject({ values, min: 2008, max: 2012 });
      expect(fieldOf(pools, 'rating')).toMatchObject({ min: -1.25, max: 2.8 });
      expect(fieldOf(pools, 'issued')).toMatchObject({ min: 0, max: 0 });
      const dates = { min: '2022-03-01T00:00:00.000Z', max: '2023-12-31T23:00:00.000Z' };
      expect(fieldOf(pools, 'listedAt')).toMatchObject(dates);
    });

    it('lists the 50 most frequent values', () => {
      const expected = Array.from({ length: 60 }, (_, number) => ({
        value: `Country ${String(number).padStart(2, '0')}`,
        count: (number === 0 ? 60 : 0) + (number % 3 === 0 ? 2 : 1),
      })).sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
      expect(fieldOf(published.projects, 'country')?.values).toEqual(expected.slice(0, 50));
    });

    it('gets a newer timestamp with a publication, for that type only', async () => {
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

    it('does not expose the write time to searches', async () => {
      expect((await catalog.get(searchPath('pools', { criteria: 'indexedAt exists' }))).status).toBe(400);
      expect(fieldOf(published.pools, 'indexedAt')).toBeUndefined();
    });
  });

  it('responds with 304 to a client that has it already, and with a new tag after a change', async () => {
    const tagOf = async () => (await catalog.get(PATH)).headers.get('etag') ?? '';
    const etag = await tagOf();
    const again = await catalog.get(PATH, { 'x-account': 'default', 'if-none-match': etag });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag]);
    await library.publish(asset('pool_new'));
    await eventually(async () => expect(await tagOf()).not.toBe(etag));
    expect((await catalog.get(PATH, { 'x-account': 'default', 'if-none-match': etag })).status).toBe(200);
  });

  it('accepts no parameters, and responds to HEAD like to GET, without the body', async () => {
    const { status, body } = await catalog.get(`${PATH}?fields=id`);
    const errors = [{ field: 'fields', code: 'unknown_parameter' }];
    expect([status, body]).toMatchObject([400, { code: 'invalid_request', errors }]);
    const headers = { ...FROM_GATEWAY, 'x-account': 'default' };
    const head = await fetch(catalog.url + PATH, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('cache-control'), await head.text()]).toEqual([
      200,
      'private, max-age=1',
      '',
    ]);
  });
});
