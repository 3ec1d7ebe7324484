import type { Asset } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { searchPath, startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';

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
  let library: TestLibrary;
  let catalog: TestCatalog;

  beforeAll(async () => {
    library = await testLibrary();
    await library.publish(...POOLS, ...WALKED);
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  });

  afterAll(async () => {
    await catalog.close();
    await library.close();
  });

  const namesOf = async (parameters: Record<string, string | number>) =>
    (await catalog.search('pools', parameters)).map(({ name }) => name);

  /** Follows the links from the first page to the last. */
  async function walk(path: string, headers?: Record<string, string>): Promise<Record<string, unknown>[][]> {
    const pages: Record<string, unknown>[][] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const { status, body, headers: answered } = await catalog.get(next, headers);
      if (status !== 200) throw new Error(`${status} at ${next}`);
      pages.push(body as Record<string, unknown>[]);
      next = answered.get('link')?.match(/^<(\/v1\/[^>]+)>; rel="next"$/)?.[1];
    }
    return pages;
  }

  it('answers a bare array of what each asset has of the six fields', async () => {
    const { status, headers, body } = await catalog.get(
      searchPath('pools', { criteria: 'source: TOUCAN and ticker in (BCT, NCT)' }),
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('link')).toBeNull();
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
    const pages = await walk(searchPath('projects', { criteria, limit: 1 }));
    expect(pages.map((page) => page.length)).toEqual([1, 1]);
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
    const pages = await walk(searchPath('projects', { ...parameters, limit }));
    const descriptions = pages.flat().map(({ description }) => description);
    expect(descriptions.sort()).toEqual(WALKED.map(({ description }) => description).sort());
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
  });

  it('walks in the order of one large page', async () => {
    const pages = await walk(searchPath('projects', { limit: 10 }));
    expect(pages.flat()).toEqual(await catalog.search('projects', { limit: 100 }));
  });

  it('meets every asset that does not change, whatever is published and withdrawn meanwhile', async () => {
    const criteria = 'registry:walk';
    const first = await catalog.get(searchPath('projects', { criteria, limit: 20 }));
    const next = first.headers.get('link')?.match(/^<([^>]+)>/)?.[1] ?? '';
    await library.publish(
      asset('proj_walk-new1', { registry: 'Walk', name: 'A', rating: 5, description: 'new' }),
      asset('proj_walk-new2', { registry: 'Walk', name: 'A', rating: 0, description: 'new' }),
    );
    await eventually(async () => {
      expect(await catalog.search('projects', { criteria, limit: 100 })).toHaveLength(WALKED.length + 2);
    });
    const rest = (await walk(next)).flat();
    const met = [...(first.body as Record<string, unknown>[]), ...rest].map(({ description }) => description);
    expect(met.filter((description) => description !== 'new').sort()).toEqual(
      WALKED.map(({ description }) => description).sort(),
    );
    await library.withdraw('proj_walk-new1', 'proj_walk-new2');
  });

  it('keeps every parameter in the link, and lets limit change', async () => {
    const { headers } = await catalog.get(searchPath('projects', { criteria: 'registry:"Walk"', limit: 3 }));
    const link = headers.get('link') ?? '';
    expect(link).toMatch(
      /^<\/v1\/assets\/projects\?criteria=registry%3A%22Walk%22&fullTextSearch=&limit=3&cursor=[\w-]+>; rel="next"$/,
    );
    const wider = link.slice(1, link.indexOf('>')).replace('limit=3', 'limit=50');
    expect((await catalog.get(wider)).body).toHaveLength(50);
  });

  it('gives an account no use of the cursor of another', async () => {
    const one = { 'x-account': 'one' };
    const first = await catalog.get(searchPath('projects', { limit: 3 }), one);
    const next = first.headers.get('link')?.match(/^<([^>]+)>/)?.[1] ?? '';
    expect((await catalog.get(next, one)).status).toBe(200);
    expect((await catalog.get(next, { 'x-account': 'two' })).status).toBe(400);
    expect((await catalog.get(next)).status).toBe(400);
  });

  it('answers HEAD as GET, without the body', async () => {
    const response = await fetch(catalog.url + searchPath('pools', { limit: 1 }), {
      method: 'HEAD',
      headers: { 'x-account': 'default' },
    });
    expect([response.status, response.headers.get('link')?.slice(0, 18), await response.text()]).toEqual([
      200,
      '</v1/assets/pools?',
      '',
    ]);
  });
});
