import type { Asset } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';
import { nextOf, walk } from '../test-walk.js';

const WALKED = Array.from({ length: 57 }, (_, number) =>
  asset(`proj_walk-${String(number).padStart(2, '0')}`, {
    registry: 'Walk',
    // Few ratings and names, many without: ties at every step of the order.
    name: ['Same', 'same', 'Other', 'Ähnlich'][number % 4] ?? '',
    ...(number % 3 === 0 ? {} : { rating: [4.5, -1.25, 0][number % 3] }),
    description: `peat number ${number}`,
  }),
);

const POOLS: readonly Asset[] = [
  asset('pool_nct', {
    ticker: 'NCT',
    address: '0xAb12',
    name: 'Nature',
    description: 'Green',
    rating: 4.3,
    price: 1.5,
  }),
  asset('pool_bct', { ticker: 'BCT', name: 'Base', rating: 4.3, active: true, vintages: [2012], issued: 5 }),
  asset('pool_low', { source: 'C3', name: 'Low', rating: -2 }),
  asset('pool_none2', { source: 'C3', name: 'none' }),
  asset('pool_none1', { source: 'C3', name: 'None' }),
  asset('pool_none3', { source: 'C3', name: 'Älter' }),
  asset('pool_zero', { source: 'C3', name: 'Zero', rating: 0 }),
];

describe('searching assets', () => {
  const { library, catalog } = catalogWith(...POOLS, ...WALKED);

  const namesOf = async (parameters: Record<string, string | number>) =>
    (await catalog.search('pools', parameters)).map(({ name }) => name);

  it('answers a bare array of what each asset has of the six fields', async () => {
    const { status, headers, body } = await catalog.get(
      searchPath('pools', { criteria: 'source: TOUCAN and ticker in (BCT, NCT)' }),
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('link')).toBeNull();
    expect(headers.get('x-total-count')).toBe('2');
    expect(headers.get('cache-control')).toBe('private, max-age=1');
    expect(body).toEqual([
      { ticker: 'BCT', source: 'TOUCAN', rating: 4.3, name: 'Base' },
      { ticker: 'NCT', address: '0xAb12', source: 'TOUCAN', description: 'Green', rating: 4.3, name: 'Nature' },
    ]);
  });

  it('orders by rating, absent last, then by name as people read it, then by id', async () => {
    expect(await namesOf({})).toEqual(['Base', 'Nature', 'Zero', 'Low', 'Älter', 'None', 'none']);
  });

  it('shows and walks past a name that composing makes six times as long', async () => {
    const clef = String.fromCodePoint(0x1d160).repeat(512);
    await library.publish(...['a', 'b'].map((end) => asset(`proj_long-${end}`, { registry: 'Long', name: clef })));
    const criteria = 'registry:long';
    await eventually(async () => expect(await catalog.search('projects', { criteria })).toHaveLength(2));
    const pages = await walk(catalog, searchPath('projects', { criteria, limit: 1 }));
    expect(pages.map(({ assets }) => assets.length)).toEqual([1, 1]);
    await library.withdraw('proj_long-a', 'proj_long-b');
    await eventually(async () => expect(await catalog.search('projects', { criteria })).toEqual([]));
  });

  it('searches each kind by itself', async () => {
    expect(await catalog.search('projects', { criteria: 'ticker:BCT' })).toEqual([]);
    expect(await catalog.search('projects', { criteria: 'registry:walk', limit: 100 })).toHaveLength(WALKED.length);
  });

  it('combines criteria and full text', async () => {
    expect(await namesOf({ criteria: 'rating >= 4', fullTextSearch: 'toucan green' })).toEqual(['Nature']);
  });

  it('gives 25 unless asked for more or fewer', async () => {
    expect(await catalog.search('projects')).toHaveLength(25);
    expect(await catalog.search('projects', { limit: 1 })).toHaveLength(1);
    expect(await catalog.search('projects', { limit: 100 })).toHaveLength(WALKED.length);
  });

  it.each([
    ['by rating', {}, 1],
    ['by rating', {}, 7],
    ['by rating', {}, 57],
    ['by tier', { fullTextSearch: 'peat' }, 4],
    [
      'by tier, within criteria',
      { fullTextSearch: 'peat', criteria: 'registry:"walk" and not rating = 0 or rating = 0' },
      9,
    ],
  ])('walks %s through every asset exactly once (%j, %d a page)', async (_, parameters, limit) => {
    const pages = await walk(catalog, searchPath('projects', { ...parameters, limit }));
    const descriptions = pages.flatMap(({ assets }) => assets.map(({ description }) => description));
    expect(descriptions.sort()).toEqual(WALKED.map(({ description }) => description).sort());
    expect(pages.slice(0, -1).every(({ assets }) => assets.length === limit)).toBe(true);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([WALKED.length]));
  });

  it('walks in the order of one large page', async () => {
    const pages = await walk(catalog, searchPath('projects', { limit: 10 }));
    expect(pages.flatMap(({ assets }) => assets)).toEqual(await catalog.search('projects', { limit: 100 }));
  });

  it('keeps every parameter in the link, and lets limit change', async () => {
    const parameters = { criteria: 'registry:"Walk"', sort: '-rating,name', fields: 'name,id', limit: 3 };
    const next = nextOf((await catalog.get(searchPath('projects', parameters))).headers) ?? '';
    expect(next).toMatch(
      /^\/v1\/assets\/projects\?criteria=registry:%22Walk%22&fullTextSearch=&sort=-rating%2Cname&fields=name%2Cid&limit=3&cursor=[\w-]+$/,
    );
    expect((await catalog.get(next.replace('limit=3', 'limit=50'))).body).toHaveLength(50);
    expect((await catalog.get(next.replace('&limit=3', ''))).body).toHaveLength(25);
  });

  it.each([
    ['criteria', 'criteria=registry:%22Walk%22', 'criteria=registry:Walk'],
    ['words', 'fullTextSearch=', 'fullTextSearch=peat'],
    ['order', 'sort=-rating', 'sort=rating'],
    ['order left out', '&sort=-rating', ''],
    ['fields', 'fields=id', 'fields=id,name'],
    ['fields left out', '&fields=id', ''],
    ['kind', '/projects', '/pools'],
  ])('takes a cursor with no other %s than it came with', async (_, part, other) => {
    const parameters = { criteria: 'registry:"Walk"', sort: '-rating', fields: 'id', limit: 3 };
    const next = nextOf((await catalog.get(searchPath('projects', parameters))).headers) ?? '';
    expect((await catalog.get(next)).status).toBe(200);
    const { status, body } = await catalog.get(next.replace(part, other));
    expect([status, body]).toMatchObject([400, { code: 'invalid_cursor' }]);
  });

  it('gives an account no use of the cursor of another', async () => {
    const one = { 'x-account': 'one' };
    const first = await catalog.get(searchPath('projects', { limit: 3 }), one);
    const next = nextOf(first.headers) ?? '';
    expect((await catalog.get(next, one)).status).toBe(200);
    expect((await catalog.get(next, { 'x-account': 'two' })).status).toBe(400);
    expect((await catalog.get(next)).status).toBe(400);
  });
});
