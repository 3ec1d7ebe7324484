import { type Asset, SORTABLE } from '@carbon/contracts';
import { seeded } from '@carbon/criteria/golden';
import { eventually } from '@carbon/testing';
import { nextOf, type Parameters, searchPath } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { catalogWith } from '../testing/set-up.js';

type Sortable = (typeof SORTABLE)[number];

/** The boundaries of each type: minimum, maximum, zero, and values that differ only in letter case. */
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

/** One asset for each value of each field, so that several assets lack the field. */
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

/** By code points like OpenSearch, not by UTF-16 code units. */
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

/** Returns the ids in the order of a `sort`. */
function sorted(sort: string): string[] {
  const steps = [...sort.split(','), 'name', 'id'].map((key) =>
    byField(key.replace('-', '') as Sortable, key.startsWith('-')),
  );
  const order = (one: Asset, other: Asset) => steps.reduce((found, step) => found || step(one, other) || 0, 0);
  return [...PROJECTS].sort(order).map(({ id }) => id);
}

describe('sort', () => {
  const { catalog } = catalogWith(...PROJECTS, asset('pool_b', { rating: 1 }), asset('pool_a', { rating: 1 }));

  const idsOf = async (parameters: Parameters) => {
    const pages = await catalog.walk(searchPath('projects', { fields: 'id', ...parameters }));
    return pages.flatMap(({ assets }) => assets.map(({ id }) => id));
  };

  it.each(SORTABLE.flatMap((field) => [field, `-${field}`]))(
    'by %s puts absent values last, then orders by name and id, and loses none at a page boundary, with free text or without',
    async (sort) => {
      expect(await idsOf({ sort, limit: 100 })).toEqual(sorted(sort));
      expect(await idsOf({ sort, limit: 1 })).toEqual(sorted(sort));
      expect(await idsOf({ sort, limit: 7, fullTextSearch: 'peat' })).toEqual(sorted(sort));
    },
  );

  it.each(['source,-listedAt', '-registry,country,-rating', 'region,-name,ticker', '-price,-id'])(
    'uses several fields in order: %s',
    async (sort) => {
      for (const limit of [3, 100]) expect(await idsOf({ sort, limit })).toEqual(sorted(sort));
    },
  );

  it('takes precedence over relevance, and orders pools as well', async () => {
    const byTier = await idsOf({ fullTextSearch: 'peat', limit: 100 });
    expect(byTier.slice().sort()).toEqual(sorted('id'));
    expect(byTier).not.toEqual(sorted('id'));
    expect(await idsOf({ fullTextSearch: 'peat', sort: '-id', limit: 100 })).toEqual(sorted('-id'));
    expect(await catalog.search('pools', { sort: '-id', fields: 'id' })).toEqual([{ id: 'pool_b' }, { id: 'pool_a' }]);
  });
});

const choose = seeded(20_261_121);

/** Few values, often none, so that there are ties and absent values at every step of every order. */
function anyAsset(id: string): Asset {
  const one = <T>(values: readonly T[]) => values[choose(values.length)];
  const maybe = <T>(name: string, values: readonly T[]) => (choose(10) < 4 ? {} : { [name]: one(values) });
  return asset(id, {
    name: one(['Same', 'same', 'Other', 'Ähnlich']) ?? '',
    source: one(['C3', 'VERRA']) ?? '',
    description: one(['peat bog', 'a bog of peats', 'bog, and paet']) ?? '',
    ...maybe('rating', [4.5, -1.25, 0]),
    ...maybe('ticker', ['A', 'B']),
    ...maybe('country', ['Brazil', 'Zambia']),
    ...maybe('listedAt', ['2020-01-01T00:00:00Z', '2024-01-01T00:00:00Z']),
  });
}

const SEARCHES: readonly Parameters[] = [
  {},
  { fullTextSearch: 'peat' },
  { sort: '-listedAt' },
  { sort: 'listedAt,ticker', fullTextSearch: 'bog' },
  { sort: 'country,-rating' },
  { sort: '-ticker,name' },
  { sort: '-name', criteria: 'source in (C3, VERRA) and not registry:none' },
  { sort: '-id' },
];

describe('paging while assets are published, changed and withdrawn', () => {
  const MOVING = 40;
  const staying = Array.from({ length: 40 }, (_, number) => anyAsset(`proj_stays-${number}`));
  const moving = Array.from({ length: MOVING }, (_, number) => anyAsset(`proj_moves-${number}`));
  const movingId = () => `proj_moves-${choose(MOVING)}`;
  const { library, catalog } = catalogWith(...staying, ...moving);

  /** Changes many assets, and waits until searches show the changes. */
  async function change(round: number): Promise<void> {
    await library.publish(...Array.from({ length: MOVING / 2 }, () => anyAsset(movingId())));
    await library.withdraw(...Array.from({ length: MOVING / 4 }, movingId));
    await library.publish(asset('pool_marker', { price: round }));
    await eventually(async () => {
      expect(await catalog.search('pools', { fields: 'price' })).toEqual([{ price: round }]);
    });
  }

  it('returns every unchanged asset exactly once, in every order', async () => {
    const walkers = SEARCHES.map((parameters) => {
      const path: string | undefined = searchPath('projects', { limit: 10, fields: 'id', ...parameters });
      return { next: path as string | undefined, about: JSON.stringify(parameters), met: [] as string[] };
    });
    const step = async (walker: (typeof walkers)[number]) => {
      if (walker.next === undefined) return;
      const { headers, body } = await catalog.get(walker.next);
      walker.met.push(...(body as { id: string }[]).map(({ id }) => id));
      walker.next = nextOf(headers);
    };
    for (let round = 1; walkers.some(({ next }) => next !== undefined); round += 1) {
      await Promise.all(walkers.map(step));
      await change(round);
    }
    const ids = staying.map(({ id }) => id).sort();
    for (const { about, met } of walkers) {
      expect([about, met.filter((id) => id.startsWith('proj_stays')).sort()]).toEqual([about, ids]);
    }
  });
});
