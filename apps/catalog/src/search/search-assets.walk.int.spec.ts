import type { Asset } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';
import { nextOf } from '../test-walk.js';

const STAYING = 60;
const MOVING = 40;
const PAGE = 7;

/** A repeatable sequence of numbers from 0 to below 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Few values, and often none: ties and absences at every step of every order. */
function anyAsset(id: string, next: () => number): Asset {
  const one = <T>(values: readonly T[]) => values[Math.floor(next() * values.length)];
  const maybe = <T>(name: string, values: readonly T[]) => (next() < 0.4 ? {} : { [name]: one(values) });
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

/** One who goes from page to page. */
interface Walker {
  next: string | undefined;
  readonly about: string;
  readonly met: string[];
}

const SEARCHES: readonly Record<string, string>[] = [
  {},
  { fullTextSearch: 'peat' },
  { sort: '-listedAt' },
  { sort: 'listedAt,ticker', fullTextSearch: 'bog' },
  { sort: 'country,-rating' },
  { sort: '-ticker,name' },
  { sort: '-name', criteria: 'source in (C3, VERRA) and not registry:none' },
  { sort: '-id' },
];

describe('a walk through pages while assets are published, changed and withdrawn', () => {
  const next = random(20_261_121);
  const staying = Array.from({ length: STAYING }, (_, number) => anyAsset(`proj_stays-${number}`, next));
  const moving = Array.from({ length: MOVING }, (_, number) => anyAsset(`proj_moves-${number}`, next));
  const movingId = () => `proj_moves-${Math.floor(next() * MOVING)}`;
  const { library, catalog } = catalogWith(...staying, ...moving);

  /** Moves many about, and waits until searches show it. */
  async function change(round: number): Promise<void> {
    const changed = Array.from({ length: MOVING / 2 }, () => anyAsset(movingId(), next));
    await library.publish(...changed);
    await library.withdraw(...Array.from({ length: MOVING / 4 }, movingId));
    await library.publish(asset('pool_marker', { price: round }));
    await eventually(async () => {
      expect(await catalog.search('pools', { fields: 'price' })).toEqual([{ price: round }]);
    });
  }

  async function step(walker: Walker): Promise<void> {
    if (walker.next === undefined) return;
    const { status, headers, body } = await catalog.get(walker.next);
    if (status !== 200) throw new Error(`${status} at ${walker.next}`);
    walker.met.push(...(body as { id: string }[]).map(({ id }) => id));
    walker.next = nextOf(headers);
  }

  it('meets every asset exactly once that stays as it is, in every order', async () => {
    const walkers = SEARCHES.map((parameters): Walker => {
      const next = searchPath('projects', { limit: PAGE, fields: 'id', ...parameters });
      return { next, about: JSON.stringify(parameters), met: [] };
    });
    for (let round = 1; walkers.some(({ next }) => next !== undefined); round += 1) {
      await Promise.all(walkers.map(step));
      await change(round);
    }
    const ids = staying.map(({ id }) => id).sort();
    for (const { about, met } of walkers) {
      const stayed = met.filter((id) => id.startsWith('proj_stays')).sort();
      expect([about, stayed]).toEqual([about, ids]);
    }
  });
});
