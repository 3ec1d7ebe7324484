import { costMicros } from '@carbon/contracts';
import fc from 'fast-check';
import { allocate as allocateBy, type Decision, type Demand } from './allocation.js';
import { ESTIMATE_NOT_FOUND, INSUFFICIENT_SUPPLY } from './failure.js';
import type { Supply } from './shelf.js';
import { preference } from './test-preference.js';

const DEFAULT = preference();

function allocate(wanted: readonly Demand[], shelf: readonly Supply[], by = DEFAULT) {
  return allocateBy(wanted, shelf, by);
}

const grams = fc.bigInt({ min: 1n, max: 2_000n });

const supplies = fc.uniqueArray(
  fc.record({
    asset: fc.stringMatching(/^pool_[a-z]{1,3}$/),
    available: fc.bigInt({ min: 0n, max: 3_000n }),
    priceMicros: fc.bigInt({ min: 0n, max: 5n }).map((price) => price * 1_000_003n),
    rating: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  }),
  { selector: ({ asset }) => asset, maxLength: 12 },
);

const demands: fc.Arbitrary<Demand[]> = fc
  .array(grams, { maxLength: 20 })
  .map((all) => all.map((amount, place) => ({ offset: `off_${place}`, grams: amount })));

const served = (decisions: readonly Decision[]) => decisions.filter((decision) => 'lines' in decision);

function taken(decisions: readonly Decision[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { lines } of served(decisions)) {
    for (const line of lines) sums.set(line.asset, (sums.get(line.asset) ?? 0n) + line.grams);
  }
  return sums;
}

describe('allocating credits', () => {
  it('never gives more of an asset than is available', () => {
    fc.assert(
      fc.property(demands, supplies, (wanted, shelf) => {
        const given = taken(allocate(wanted, shelf));
        for (const { asset, available } of shelf) expect(given.get(asset) ?? 0n).toBeLessThanOrEqual(available);
        expect([...given.keys()].filter((asset) => !shelf.some((supply) => supply.asset === asset))).toEqual([]);
      }),
    );
  });

  it('gives each offset exactly what it asks for, at the sum of its lines, or nothing', () => {
    fc.assert(
      fc.property(demands, supplies, (wanted, shelf) => {
        const decisions = allocate(wanted, shelf);
        expect(decisions.map(({ offset }) => offset)).toEqual(wanted.map(({ offset }) => offset));
        for (const { offset, lines, costMicros: cost } of served(decisions)) {
          const demand = wanted.find((one) => one.offset === offset);
          expect(lines.reduce((sum, line) => sum + line.grams, 0n)).toBe(demand?.grams);
          expect(lines.every((line) => line.grams > 0n)).toBe(true);
          expect(lines.every((line) => line.costMicros === costMicros(line.grams, line.priceMicros))).toBe(true);
          expect(lines.reduce((sum, line) => sum + line.costMicros, 0n)).toBe(cost);
        }
      }),
    );
  });

  it('decides the same in whatever order it is told of the supply', () => {
    const shuffled = supplies.chain((shelf) =>
      fc.tuple(fc.constant(shelf), fc.shuffledSubarray(shelf, { minLength: shelf.length })),
    );
    fc.assert(
      fc.property(demands, shuffled, (wanted, [one, other]) => {
        expect(allocate(wanted, one)).toEqual(allocate(wanted, other));
      }),
    );
  });

  it('fails an offset only when less is left than it needs, and lets a smaller one behind it pass', () => {
    fc.assert(
      fc.property(demands, supplies, (wanted, shelf) => {
        let left = shelf.reduce((sum, { available }) => sum + available, 0n);
        for (const [place, decision] of allocate(wanted, shelf).entries()) {
          const asked = wanted[place]?.grams ?? 0n;
          expect('failure' in decision).toBe(asked > left);
          if ('lines' in decision) left -= asked;
        }
      }),
    );
  });

  it('leaves the supply it was given as it was', () => {
    const shelf: Supply[] = [{ asset: 'pool_a', available: 5n, priceMicros: 1n }];
    allocate([{ offset: 'off_1', grams: 3n }], shelf);
    expect(shelf).toEqual([{ asset: 'pool_a', available: 5n, priceMicros: 1n }]);
  });

  it('takes the cheapest first, then the best rated, unrated last, then by id', () => {
    const shelf: Supply[] = [
      { asset: 'pool_e', available: 1n, priceMicros: 2n, rating: 5 },
      { asset: 'pool_d', available: 1n, priceMicros: 1n },
      { asset: 'pool_c', available: 1n, priceMicros: 1n, rating: 2 },
      { asset: 'pool_b', available: 1n, priceMicros: 1n, rating: 2 },
      { asset: 'pool_a', available: 1n, priceMicros: 1n, rating: 0 },
    ];
    const [decision] = served(allocate([{ offset: 'off_1', grams: 5n }], shelf));
    expect(decision?.lines.map(({ asset }) => asset)).toEqual(['pool_b', 'pool_c', 'pool_a', 'pool_d', 'pool_e']);
  });

  it('tells an offset that asks for too much, and one whose estimate does not hold', () => {
    const shelf: Supply[] = [{ asset: 'pool_a', available: 5n, priceMicros: 1n }];
    const decisions = allocate(
      [
        { offset: 'off_1', grams: 6n },
        { offset: 'off_2', grams: 1n, terms: ESTIMATE_NOT_FOUND },
        { offset: 'off_3', grams: 5n },
      ],
      shelf,
    );
    expect(decisions).toMatchObject([
      { failure: INSUFFICIENT_SUPPLY },
      { failure: ESTIMATE_NOT_FOUND },
      { lines: [{}] },
    ]);
  });
});
