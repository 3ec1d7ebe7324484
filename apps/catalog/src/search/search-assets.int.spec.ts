import type { Asset } from '@carbon/contracts';
import { nextPageUrl } from '@carbon/http';
import { eventually } from '@carbon/testing';
import { nextOf, searchPath } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { catalogWith } from '../testing/set-up.js';

const PAGED_ASSETS = Array.from({ length: 57 }, (_, number) =>
  asset(`proj_walk-${String(number).padStart(2, '0')}`, {
    registry: 'Walk',
    // Few ratings and names, many without, so that there are ties at every step of the order.
    name: ['Same', 'same', 'Other', 'Ähnlich'][number % 4] ?? '',
    ...(number % 3 === 0 ? {} : { rating: [4.5, -1.25, 0][number % 3] }),
    description: `peat number ${number}`,
  }),
);

/**
 * The longest name, nearly all of it in characters of the maximum UTF-8 length; the longest id, and the longest rating.
 */
const MAX_LENGTH: readonly Asset[] = ['a', 'b', 'c'].map((end) =>
  asset(`proj_${end.repeat(64)}`, {
    name: '🌳'.repeat(511) + end,
    rating: -1.123456789012345e-7,
    registry: 'Ж'.repeat(256),
  }),
);

/** Has a value in every field of a project. */
const FULL: Asset = {
  id: 'proj_full',
  type: 'PROJECT',
  ticker: 'FULL',
  address: '0xAbC',
  source: 'VERRA',
  name: 'Full "of" fields \u2028 🌳',
  description: 'All there is',
  rating: -0.5,
  price: 0.000001,
  issued: 8_589_934_592,
  active: false,
  chain: 'polygon',
  registry: 'Verra',
  registryId: '42',
  country: 'Brazil',
  region: 'Pará',
  categories: ['Forestry', 'Agroforestry'],
  methodologies: [],
  vintages: [2012, 2008],
  sdgs: [13],
  listedAt: '2021-10-18T08:00:00+02:00',
};

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
  { ...FULL, id: 'pool_full', type: 'POOL' },
];

describe('searching assets', () => {
  const { library, catalog } = catalogWith(...POOLS, ...PAGED_ASSETS, ...MAX_LENGTH, FULL);
  const walked = { criteria: 'registry:"Walk"' };

  const namesOf = async (parameters: Record<string, string | number>) =>
    (await catalog.search('pools', parameters)).map(({ name }) => name);

  it('returns an array of assets with their values of the six default fields', async () => {
    const path = searchPath('pools', { criteria: 'source: TOUCAN and ticker in (BCT, NCT)' });
    const { status, headers, body } = await catalog.get(path);
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

  it('orders by rating, absent last, then by name in natural order, then by id', async () => {
    const criteria = 'not ticker:FULL';
    expect(await namesOf({ criteria })).toEqual(['Base', 'Nature', 'Zero', 'Low', 'Älter', 'None', 'none']);
  });

  it('searches one type, and combines criteria and full text', async () => {
    expect(await catalog.search('projects', { criteria: 'ticker:BCT' })).toEqual([]);
    expect(await namesOf({ criteria: 'rating >= 4', fullTextSearch: 'toucan green' })).toEqual(['Nature']);
  });

  describe('with fields', () => {
    const found = (fields: string) =>
      catalog.search('projects', { criteria: 'id in (proj_full, proj_walk-00)', fields });

    it('returns exactly the requested fields that an asset has, in the order of the field list', async () => {
      const [first, second] = await found('vintages,country,id');
      expect([first, second]).toEqual([
        { id: FULL.id, country: 'Brazil', vintages: [2012, 2008] },
        { id: 'proj_walk-00' },
      ]);
      expect(Object.keys(first ?? {})).toEqual(['id', 'country', 'vintages']);
      expect(await found('ticker')).toEqual([{ ticker: 'FULL' }, {}]);
    });

    it('returns without it those of the interface, in its order', async () => {
      const [full] = await catalog.search('projects', { criteria: 'id: proj_full' });
      expect(Object.keys(full ?? {})).toEqual(['ticker', 'address', 'source', 'description', 'rating', 'name']);
    });

    it('returns with * every published field of the asset, and nothing else', async () => {
      const { type: _, ...full } = FULL;
      const { type: __, ...bare } = PAGED_ASSETS[0] as Asset;
      expect(await found('*')).toEqual([full, bare]);
      const { country: ___, region: ____, ...ofPools } = full;
      const pools = await catalog.search('pools', { criteria: 'ticker:FULL', fields: '*' });
      expect(pools).toEqual([{ ...ofPools, id: 'pool_full' }]);
    });
  });

  describe('with pages', () => {
    it('returns 25 assets unless another limit is requested', async () => {
      for (const [limit, count] of [
        [{}, 25],
        [{ limit: 1 }, 1],
        [{ limit: 100 }, PAGED_ASSETS.length],
      ] as const) {
        expect(await catalog.search('projects', { ...walked, ...limit })).toHaveLength(count);
      }
    });

    it.each([
      [{}, 1],
      [{}, 7],
      [{}, 57],
      [{ fullTextSearch: 'peat' }, 4],
      [{ fullTextSearch: 'peat', criteria: 'registry:"walk" and not rating = 0 or rating = 0' }, 9],
    ])(
      'returns every asset exactly once, in the order of one large page (%j, %d a page)',
      async (parameters, limit) => {
        const pages = await catalog.walk(searchPath('projects', { ...walked, ...parameters, limit }));
        const onePage = await catalog.search('projects', { ...walked, ...parameters, limit: 100 });
        expect(pages.flatMap(({ assets }) => assets)).toEqual(onePage);
        const descriptions = onePage.map(({ description }) => description);
        expect(descriptions.sort()).toEqual(PAGED_ASSETS.map(({ description }) => description).sort());
        expect(pages.slice(0, -1).every(({ assets }) => assets.length === limit)).toBe(true);
        expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([PAGED_ASSETS.length]));
      },
    );

    it('keeps every parameter in the link, and allows another limit', async () => {
      const parameters = { ...walked, sort: '-rating,name', fields: 'name,id', limit: 3 };
      const next = nextOf((await catalog.get(searchPath('projects', parameters))).headers) ?? '';
      expect(next).toMatch(
        /^\/v1\/assets\/projects\?criteria=registry:%22Walk%22&fullTextSearch=&sort=-rating%2Cname&fields=name%2Cid&limit=3&cursor=[\w-]+$/,
      );
      expect((await catalog.get(next.replace('limit=3', 'limit=50'))).body).toHaveLength(50);
      expect((await catalog.get(next.replace('&limit=3', ''))).body).toHaveLength(25);
    });

    it('accepts a cursor only with the query it belongs to', async () => {
      const parameters = { ...walked, sort: '-rating', fields: 'id', limit: 3 };
      const next = nextOf((await catalog.get(searchPath('projects', parameters))).headers) ?? '';
      expect((await catalog.get(next)).status).toBe(200);
      for (const [part, other] of [
        ['criteria=registry:%22Walk%22', 'criteria=registry:Walk'],
        ['fullTextSearch=', 'fullTextSearch=peat'],
        ['sort=-rating', 'sort=rating'],
        ['&sort=-rating', ''],
        ['fields=id', 'fields=id,name'],
        ['&fields=id', ''],
        ['/projects', '/pools'],
      ] as const) {
        const { status, body } = await catalog.get(next.replace(part, other));
        expect([part, status, body]).toMatchObject([part, 400, { code: 'invalid_cursor' }]);
      }
    });

    it('does not accept the cursor of another account', async () => {
      const one = { 'x-account': 'one' };
      const next = nextOf((await catalog.get(searchPath('projects', { limit: 3 }), one)).headers) ?? '';
      expect((await catalog.get(next, one)).status).toBe(200);
      expect((await catalog.get(next, { 'x-account': 'two' })).status).toBe(400);
      expect((await catalog.get(next)).status).toBe(400);
    });

    it('continues after a name that NFC makes six times as long', async () => {
      const clef = String.fromCodePoint(0x1d160).repeat(512);
      await library.publish(...['a', 'b'].map((end) => asset(`proj_clef-${end}`, { registry: 'Clef', name: clef })));
      const criteria = 'registry:clef';
      await eventually(async () => expect(await catalog.search('projects', { criteria })).toHaveLength(2));
      const pages = await catalog.walk(searchPath('projects', { criteria, limit: 1 }));
      expect(pages.map(({ assets }) => assets.length)).toEqual([1, 1]);
    });

    it('pages to the end with the longest query, in response heads that common clients accept; a longer query is refused', async () => {
      /**
       * A search with one asset a page and a query of this many bytes. Each of the words matches the registry of the
       * longest asset.
       */
      const pathOf = (bytes: number) => {
        const criteria = Array.from({ length: 7 }, () => `registry:"${'Ж'.repeat(256)}"`).join(' or ');
        const address = (text: string) =>
          nextPageUrl('/v1/assets/projects', { criteria: text, fullTextSearch: '', fields: 'id', limit: 1 });
        return address(criteria + ' '.repeat(bytes - address(criteria).length));
      };
      const pages = await catalog.walk(pathOf(12 * 1024));
      expect(pages.flatMap(({ assets }) => assets)).toEqual(MAX_LENGTH.map(({ id }) => ({ id })));
      const { status, body } = await catalog.get(pathOf(12 * 1024 + 1));
      const detail = expect.stringContaining('Shorten the criteria');
      expect([status, body]).toMatchObject([414, { code: 'uri_too_long', detail }]);
    });
  });
});
