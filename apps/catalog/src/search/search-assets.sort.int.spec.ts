import { type Asset, SORTABLE } from '@carbon/contracts';
import { asset } from '../test-asset.js';
import { searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';
import { walk } from '../test-walk.js';

type Sortable = (typeof SORTABLE)[number];

/** At the edges of each type: least, greatest, zero, and values that only differ in letter case. */
const VALUES: Readonly<Record<Exclude<Sortable, 'id' | 'source' | 'name'>, readonly (string | number)[]>> = {
  ticker: ['a', 'A', 'b', 'é', '~', '\u{10ffff}'],
  rating: [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0, 4.1, 4.1],
  price: [0, 0.000001, 1_000_000, 1.5, 1.5],
  issued: [0, 0.000001, 8_589_934_592, 17],
  listedAt: [
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00Z',
    '2024-01-01T02:00:00+02:00',
    '2024-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ],
  country: ['Brazil', 'brazil', 'Zambia'],
  region: ['Amazonas', 'Bahia'],
  registry: ['Verra', 'Gold Standard', 'verra'],
};

/** For every field one asset with each of its values, and so several without any. */
const PROJECTS: readonly Asset[] = Object.entries(VALUES).flatMap(([field, values]) =>
  values.map((value, place) =>
    asset(`proj_${field.toLowerCase()}-${place}`, {
      name: ['Same', 'same', 'Other'][place % 3] ?? '',
      source: ['C3', 'VERRA'][place % 2] ?? '',
      description: place % 2 === 0 ? 'peats' : 'peat',
      [field]: value,
    }),
  ),
);

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const placeOf = (one: Asset, field: Sortable) => {
  const value = one[field];
  if (typeof value !== 'string') return value;
  return field === 'listedAt' ? Date.parse(value) : folded(value);
};

/** By code points, as OpenSearch does, and not by UTF-16 units. */
const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' || typeof b === 'number'
    ? Number(a) - Number(b)
    : Buffer.compare(Buffer.from(a), Buffer.from(b));

function byField(field: Sortable, descending: boolean) {
  return (one: Asset, other: Asset): number => {
    const [a, b] = [placeOf(one, field), placeOf(other, field)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return descending ? compare(b, a) : compare(a, b);
  };
}

/** The ids in the order that a `sort` means. */
function sorted(sort: string): string[] {
  const steps = [...sort.split(','), 'name', 'id'].map((key) =>
    byField(key.replace('-', '') as Sortable, key.startsWith('-')),
  );
  const ranked = [...PROJECTS].sort((one, other) => {
    for (const step of steps) {
      const order = step(one, other);
      if (order !== 0 && !Number.isNaN(order)) return order;
    }
    return 0;
  });
  return ranked.map(({ id }) => id);
}

describe('sort', () => {
  const { catalog } = catalogWith(...PROJECTS, asset('pool_b', { rating: 1 }), asset('pool_a', { rating: 1 }));

  const idsOf = async (parameters: Record<string, string | number>) => {
    const pages = await walk(catalog, searchPath('projects', { fields: 'id', ...parameters }));
    return pages.flatMap(({ assets }) => assets.map(({ id }) => id));
  };

  describe.each(SORTABLE.flatMap((field) => [field, `-${field}`]))('%s', (sort) => {
    it('puts the absent last, and name and id behind', async () => {
      expect(await idsOf({ sort, limit: 100 })).toEqual(sorted(sort));
    });

    it.each(['', 'peat'])('loses none at the end of any page, with the full text "%s"', async (fullTextSearch) => {
      expect(await idsOf({ sort, limit: 1, fullTextSearch })).toEqual(sorted(sort));
    });
  });

  it.each(['source,-listedAt', '-registry,country,-rating', 'region,-name,ticker', '-price,-id'])(
    'goes by one after the other: %s',
    async (sort) => {
      for (const limit of [3, 100]) expect(await idsOf({ sort, limit })).toEqual(sorted(sort));
    },
  );

  it('goes before relevance', async () => {
    const byTier = await idsOf({ fullTextSearch: 'peat', limit: 100 });
    expect(byTier.slice().sort()).toEqual(sorted('id'));
    expect(byTier).not.toEqual(sorted('id'));
    expect(await idsOf({ fullTextSearch: 'peat', sort: '-id', limit: 100 })).toEqual(sorted('-id'));
  });

  it('orders pools as well', async () => {
    expect(await catalog.search('pools', { sort: '-id', fields: 'id' })).toEqual([{ id: 'pool_b' }, { id: 'pool_a' }]);
  });
});
