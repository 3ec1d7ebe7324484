import { costMicros } from '@carbon/contracts';
import fc from 'fast-check';
import { type Allocation, allocateCredits, costOf } from './allocation.js';
import type { EstimateTerms } from './estimate.js';
import { ESTIMATE_NOT_FOUND, type Failure, supplyShortage, TOO_MANY_ASSETS } from './failure.js';
import { Inventory, MAX_LINES, type Supply } from './inventory.js';
import { DEFAULT_PREFERENCE, Preference } from './preference.js';

interface Request {
  readonly offset: string;
  readonly grams: bigint;
  readonly terms?: EstimateTerms | Failure;
}

const DEFAULT = Preference.read(DEFAULT_PREFERENCE) as Preference;

const flag = fc.boolean();
const asset = fc.constantFrom('pool_a', 'pool_b', 'pool_c', 'pool_d', 'pool_e', 'pool_f');
const price = fc.bigInt({ min: 0n, max: 3_000_000n });

const supplies: fc.Arbitrary<Supply[]> = fc.uniqueArray(
  fc.record({
    asset,
    available: fc.bigInt({ min: 0n, max: 60n }),
    priceMicros: fc.oneof(price, fc.constantFrom(0n, 1_000_003n)),
    rating: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    onlyForEstimates: flag,
  }),
  { selector: (supply) => supply.asset },
);

const lines = fc.uniqueArray(fc.record({ asset, grams: fc.bigInt({ min: 1n, max: 30n }), priceMicros: price }), {
  selector: (line) => line.asset,
  minLength: 1,
  maxLength: 3,
});

/** Some without an estimate, some with one of a few estimates, so that estimates are named more than once. */
const requestLists: fc.Arbitrary<Request[]> = fc
  .tuple(
    fc.array(lines, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(5), fc.bigInt({ min: 1n, max: 60n })), { maxLength: 15 }),
  )
  .map(([estimates, picks]) =>
    picks.map(([pick, plain], place) => {
      const promised = estimates[pick];
      if (!promised) return { offset: `off_${place}`, grams: plain };
      const grams = promised.reduce((sum, line) => sum + line.grams, 0n);
      return { offset: `off_${place}`, grams, terms: { estimate: `est_${pick}`, lines: promised } };
    }),
  );

const decide = (requests: readonly Request[], supply: readonly Supply[], maxLines?: number) => {
  const terms = new Map(requests.flatMap((one) => (one.terms === undefined ? [] : [[one, one.terms]])));
  return allocateCredits(requests, supply, DEFAULT, terms, maxLines);
};
const linesOf = (decision: Allocation<Request> | undefined) => (decision && 'lines' in decision ? decision.lines : []);

describe('allocating credits', () => {
  it('never gives more of an asset than is available, nor anything of another asset', () => {
    fc.assert(
      fc.property(requestLists, supplies, (requests, supply) => {
        const left = new Map(supply.map(({ asset: id, available }) => [id, available]));
        for (const line of decide(requests, supply).flatMap(linesOf)) {
          expect(left.has(line.asset)).toBe(true);
          left.set(line.asset, (left.get(line.asset) ?? 0n) - line.grams);
        }
        for (const available of left.values()) expect(available).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('gives each offset exactly its weight, at the sum of its lines, or nothing', () => {
    fc.assert(
      fc.property(requestLists, supplies, (requests, supply) => {
        const decisions = decide(requests, supply);
        expect(decisions.map(({ offset }) => offset)).toEqual(requests);
        for (const [place, decision] of decisions.entries()) {
          if ('failure' in decision) continue;
          const { lines, costMicros: cost } = decision;
          expect(lines.reduce((sum, line) => sum + line.grams, 0n)).toBe(requests[place]?.grams);
          expect(lines.every((line) => line.grams > 0n)).toBe(true);
          expect(lines.reduce((sum, line) => sum + costMicros(line.grams, line.priceMicros), 0n)).toBe(cost);
        }
      }),
    );
  });

  it('decides the same for any order of the supply, and does not change it', () => {
    const shuffled = supplies.chain((supply) =>
      fc.tuple(fc.constant(supply), fc.shuffledSubarray(supply, { minLength: supply.length })),
    );
    fc.assert(
      fc.property(requestLists, shuffled, (requests, [one, other]) => {
        const before = structuredClone(one);
        expect(decide(requests, one)).toEqual(decide(requests, other));
        expect(one).toEqual(before);
      }),
    );
  });

  it('serves an offset without an estimate whenever enough is left, from the preferred assets first', () => {
    fc.assert(
      fc.property(requestLists, supplies, (requests, supply) => {
        const row = [...supply].sort(DEFAULT.compare).filter(({ onlyForEstimates }) => !onlyForEstimates);
        const left = new Map(row.map(({ asset: id, available }) => [id, available]));
        for (const [place, decision] of decide(requests, supply).entries()) {
          const { grams = 0n, terms } = requests[place] ?? {};
          if (terms === undefined) {
            const all = [...left.values()].reduce((sum, available) => sum + available, 0n);
            expect('failure' in decision).toBe(grams > all);
            const taken = linesOf(decision).map(({ asset: id }) => id);
            const nonEmpty = row.map(({ asset: id }) => id).filter((id) => (left.get(id) ?? 0n) > 0n);
            expect(taken).toEqual(nonEmpty.slice(0, taken.length));
            for (const line of linesOf(decision).slice(0, -1)) expect(line.grams).toBe(left.get(line.asset));
          }
          for (const line of linesOf(decision)) {
            const available = left.get(line.asset);
            if (available !== undefined) left.set(line.asset, available - line.grams);
          }
        }
      }),
    );
  });

  it('takes the cheapest first, then the best rated, unrated last, then by id', () => {
    const supply: Supply[] = [
      { asset: 'pool_e', available: 1n, priceMicros: 2n, rating: 5 },
      { asset: 'pool_d', available: 1n, priceMicros: 1n },
      { asset: 'pool_c', available: 1n, priceMicros: 1n, rating: 2 },
      { asset: 'pool_b', available: 1n, priceMicros: 1n, rating: 2 },
      { asset: 'pool_a', available: 1n, priceMicros: 1n, rating: 0 },
    ];
    const [decision] = decide([{ offset: 'off_1', grams: 5n }], supply);
    expect(linesOf(decision).map(({ asset: id }) => id)).toEqual(['pool_b', 'pool_c', 'pool_a', 'pool_d', 'pool_e']);
  });

  it('fails an offset that exceeds the supply, and one whose estimate is not valid', () => {
    const supply: Supply[] = [{ asset: 'pool_a', available: 5n, priceMicros: 1n }];
    const tooHeavy = { offset: 'off_1', grams: 6n };
    const onTerms = { offset: 'off_2', grams: 1n, terms: ESTIMATE_NOT_FOUND };
    expect(decide([tooHeavy, onTerms, { offset: 'off_3', grams: 5n }], supply)).toMatchObject([
      { failure: supplyShortage(5n) },
      { failure: ESTIMATE_NOT_FOUND },
      { lines: [{}] },
    ]);
  });
});

describe('allocating by estimates', () => {
  it('follows their lines to the gram and the micro-dollar, or gives nothing', () => {
    fc.assert(
      fc.property(requestLists, supplies, (requests, supply) => {
        for (const [place, decision] of decide(requests, supply).entries()) {
          const { terms } = requests[place] ?? {};
          if (terms === undefined || 'code' in terms || 'failure' in decision) continue;
          expect(decision.lines).toEqual(terms.lines);
          expect(decision.costMicros).toBe(costOf(terms.lines));
        }
      }),
    );
  });

  it('never uses one estimate for two offsets, and frees it when the first offset fails', () => {
    fc.assert(
      fc.property(requestLists, supplies, (requests, supply) => {
        const served = new Set<string>();
        for (const [place, decision] of decide(requests, supply).entries()) {
          const { terms } = requests[place] ?? {};
          if (terms === undefined || 'code' in terms) continue;
          const isUsed = 'failure' in decision && decision.failure.code === 'estimate_used';
          expect(isUsed).toBe(served.has(terms.estimate));
          if ('lines' in decision) served.add(terms.estimate);
        }
      }),
    );
  });

  it('never gives supply that is only for estimates to an offset without one', () => {
    fc.assert(
      fc.property(requestLists, supplies, (requests, supply) => {
        const reserved = new Set(supply.filter(({ onlyForEstimates }) => onlyForEstimates).map(({ asset: id }) => id));
        const plain = decide(requests, supply).filter((_, place) => requests[place]?.terms === undefined);
        expect(plain.flatMap(linesOf).filter(({ asset: id }) => reserved.has(id))).toEqual([]);
      }),
    );
  });
});

describe('a batch with a limit of lines', () => {
  it('is decided as without a limit until the limit is reached, and not beyond', () => {
    fc.assert(
      fc.property(requestLists, supplies, fc.integer({ min: 1, max: 12 }), (requests, supply, maxLines) => {
        const [some, all] = [decide(requests, supply, maxLines), decide(requests, supply)];
        expect(some).toEqual(all.slice(0, some.length));
        const before = some.slice(0, -1).flatMap(linesOf).length;
        expect(before).toBeLessThan(maxLines);
        if (some.length < all.length) expect(some.flatMap(linesOf).length).toBeGreaterThanOrEqual(maxLines);
      }),
    );
  });
});

describe('an offset that would need more assets than fit into one event', () => {
  const small = (count: number): Supply[] =>
    Array.from({ length: count }, (_, n) => ({ asset: `pool_${n}`, available: 1n, priceMicros: BigInt(n) }));

  it('is served from the maximum number of assets', () => {
    const [decision] = decide([{ offset: 'off_1', grams: BigInt(MAX_LINES) }], small(MAX_LINES + 1));
    expect(linesOf(decision)).toHaveLength(MAX_LINES);
  });

  it('fails above the maximum, takes nothing, and leaves the credits for a smaller offset', () => {
    const one = { offset: 'off_1', grams: BigInt(MAX_LINES) + 1n };
    const decisions = decide([one, { offset: 'off_2', grams: 2n }], small(MAX_LINES + 1));
    expect(decisions).toMatchObject([{ failure: { code: 'insufficient_supply' } }, { lines: [{}, {}] }]);
  });
});

describe('an inventory', () => {
  const sum = (all: readonly bigint[]) => all.reduce((one, other) => one + other, 0n);

  it('takes from no more assets than one offset may have, and distinguishes too little supply from too scattered supply', () => {
    const small: fc.Arbitrary<Supply[]> = fc
      .array(fc.record({ available: fc.bigInt({ min: 0n, max: 6n }), onlyForEstimates: flag }), { maxLength: 8 })
      .map((all) => all.map((each, n) => ({ ...each, asset: `pool_${n}`, priceMicros: 1n })));
    const gramAmounts = fc.array(fc.bigInt({ min: 1n, max: 20n }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(small, gramAmounts, fc.integer({ min: 1, max: 4 }), (all, amounts, maxLines) => {
        const inventory = new Inventory(all, maxLines);
        const left = all.filter(({ onlyForEstimates }) => !onlyForEstimates).map(({ available }) => available);
        for (const grams of amounts) {
          const taken = inventory.take(grams);
          const row = left.filter((available) => available > 0n);
          if (grams <= sum(row.slice(0, maxLines))) expect(taken).not.toHaveProperty('code');
          else if (grams <= sum(row)) expect(taken).toBe(TOO_MANY_ASSETS);
          else expect([supplyShortage(sum(row)), TOO_MANY_ASSETS]).toContainEqual(taken);
          if ('code' in taken) continue;
          expect(taken.length).toBeLessThanOrEqual(maxLines);
          expect(sum(taken.map((line) => line.grams))).toBe(grams);
          let missing = grams;
          for (const [place, available] of left.entries()) {
            left[place] = available > missing ? available - missing : 0n;
            missing -= available - (left[place] ?? 0n);
          }
        }
      }),
    );
  });
});
