import type { Asset } from '@carbon/contracts';
import { asset } from '../test-asset.js';
import { catalogWith } from '../test-catalog-with.js';

/** With a value in every field that a project can have. */
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
const BARE = asset('proj_bare', { name: 'Bare' });

describe('fields', () => {
  const { catalog } = catalogWith(FULL, BARE, { ...FULL, id: 'pool_full', type: 'POOL' });

  const found = (fields: string) => catalog.search('projects', { fields, sort: '-id' });

  it('shows exactly the named ones, of each asset those that it has', async () => {
    expect(await found('id,country,vintages')).toEqual([
      { id: FULL.id, country: 'Brazil', vintages: [2012, 2008] },
      { id: BARE.id },
    ]);
    expect(await found('ticker')).toEqual([{ ticker: 'FULL' }, {}]);
  });

  it('shows them in the order of the field list, however they are named', async () => {
    const [first] = await found('name,listedAt,id,rating');
    expect(Object.keys(first ?? {})).toEqual(['id', 'name', 'rating', 'listedAt']);
  });

  it('shows with * every field that the asset has, as it was published, and nothing else', async () => {
    const { type: _, ...full } = FULL;
    expect(await found('*')).toEqual([full, { id: BARE.id, source: BARE.source, name: BARE.name }]);
  });

  it('shows of a pool what pools have', async () => {
    const { type: _, country: __, region: ___, ...full } = FULL;
    expect(await catalog.search('pools', { fields: '*' })).toEqual([{ ...full, id: 'pool_full' }]);
  });

  it('shows the six unless others are named', async () => {
    const [first] = await catalog.search('projects', { sort: '-id' });
    expect(first).toEqual({
      ticker: 'FULL',
      address: '0xAbC',
      source: 'VERRA',
      description: 'All there is',
      rating: -0.5,
      name: FULL.name,
    });
  });
});
