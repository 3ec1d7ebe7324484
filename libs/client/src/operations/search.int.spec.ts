import { type Asset, and, where } from '../index.js';
import { says, serviceOfFile, text } from '../test-service.js';

const service = serviceOfFile();

const found = says(200, [{ ticker: 'BCT' }], { 'x-total-count': '7', etag: '"a"' });
const asked = () => Object.fromEntries(new URL(service.asked[0]?.path ?? '', service.url).searchParams);

describe('a search', () => {
  it('asks for everything when nothing is wanted', async () => {
    service.will(found);
    expect(await service.client().pools.search().page()).toEqual({
      items: [{ ticker: 'BCT' }],
      total: 7,
      etag: '"a"',
      cursor: undefined,
    });
    expect(service.asked[0]?.path).toBe('/v1/assets/pools?criteria=&fullTextSearch=');
  });

  it('asks for what is wanted, every sign of it as it is', async () => {
    service.will(found);
    const criteria = where.projects(({ name, country }) =>
      and(name.words('a&b=c+d%20#"é"'), country.eq('Côte d’Ivoire')),
    );
    const query = {
      criteria,
      text: '"red & blue" + 1%',
      sort: ['-rating', 'name'],
      fields: ['id', 'name'],
      limit: 3,
    } as const;
    await service
      .client()
      .projects.search({ ...query, cursor: 'x/y+z=' })
      .page();
    expect(asked()).toEqual({
      criteria: 'name:"a&b=c+d%20#\\"é\\"" and country = "Côte d’Ivoire"',
      fullTextSearch: '"red & blue" + 1%',
      sort: '-rating,name',
      fields: 'id,name',
      limit: '3',
      cursor: 'x/y+z=',
    });
  });

  it('takes criteria that are written, and one name to order by', async () => {
    service.will(found);
    await service
      .client()
      .pools.search({ criteria: 'source:TOUCAN && rating>2', sort: '-price', fields: ['*'] })
      .page();
    expect(asked()).toEqual({ criteria: 'source:TOUCAN && rating>2', fullTextSearch: '', sort: '-price', fields: '*' });
  });

  it('takes lists of none as not given', async () => {
    service.will(found);
    await service.client().pools.search({ sort: [], fields: [] }).page();
    expect(service.asked[0]?.path).toBe('/v1/assets/pools?criteria=&fullTextSearch=');
  });

  it('does not send what it need not know again', async () => {
    service.will(text(304, '', { etag: '"a"' }), found);
    const { pools } = service.client();
    expect(await pools.pageIfChanged({ limit: 1 }, '"a"')).toBeUndefined();
    expect(service.asked[0]?.headers['if-none-match']).toBe('"a"');
    expect(await pools.pageIfChanged({ limit: 1 }, '"b"')).toMatchObject({ total: 7 });
  });

  it('is typed by what it asks for', () => {
    const { pools, projects } = service.client();
    const shown = (asset: Asset<'pools'>) => asset.ticker;
    // @ts-expect-error the price is shown when it is asked for
    const hidden = (asset: Asset<'pools'>) => asset.price;
    const all = (asset: Asset<'projects', '*'>) => [asset.country, asset.price];
    const named = (asset: Asset<'pools'>): readonly string[] => [asset.name, asset.source];
    const known = (asset: Asset<'projects', '*'> | Asset<'projects', 'id' | 'name'>): readonly string[] => [
      asset.id,
      asset.name,
    ];
    // @ts-expect-error not every pool has a ticker
    const unsure = (asset: Asset<'pools'>): string => asset.ticker;
    const misuses = [
      // @ts-expect-error pools have no country
      () => pools.search({ fields: ['country'] }),
      // @ts-expect-error nor can they be ordered by it
      () => pools.search({ sort: '-country' }),
      // @ts-expect-error a description orders nothing
      () => projects.search({ sort: 'description' }),
      // @ts-expect-error of another kind of asset
      () => projects.search({ criteria: where.pools(({ name }) => name.exists()) }),
    ];
    expect([shown, hidden, all, named, known, unsure, ...misuses]).toHaveLength(10);
  });
});
