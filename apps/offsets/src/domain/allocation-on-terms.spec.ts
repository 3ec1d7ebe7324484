import { costMicros } from '@carbon/contracts';
import fc from 'fast-check';
import { allocate, type Demand } from './allocation.js';
import { completedEvent } from './outcome.js';
import { MOST_LINES, type Supply } from './shelf.js';
import { preference } from './test-preference.js';

const DEFAULT = preference();

const asset = fc.constantFrom('pool_a', 'pool_b', 'pool_c', 'pool_d', 'pool_e', 'pool_f');
const price = fc.bigInt({ min: 0n, max: 3_000_000n });

const shelves: fc.Arbitrary<Supply[]> = fc.uniqueArray(
  fc.record({
    asset,
    available: fc.bigInt({ min: 0n, max: 60n }),
    priceMicros: price,
    onlyOnTerms: fc.boolean(),
  }),
  { selector: (supply) => supply.asset },
);

const lines = fc.uniqueArray(fc.record({ asset, grams: fc.bigInt({ min: 1n, max: 30n }), priceMicros: price }), {
  selector: (line) => line.asset,
  minLength: 1,
  maxLength: 3,
});

/** Some plain, some on the terms of estimates, of which there are few, so that they are named more than once. */
const demands: fc.Arbitrary<Demand[]> = fc
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

const decide = (wanted: readonly Demand[], shelf: readonly Supply[]) => allocate(wanted, shelf, DEFAULT);
const linesOf = (decision: ReturnType<typeof allocate>[number] | undefined) =>
  decision && 'lines' in decision ? decision.lines : [];

describe('allocating on the terms of estimates', () => {
  it('honours them to the gram and the millionth, or gives nothing', () => {
    fc.assert(
      fc.property(demands, shelves, (wanted, shelf) => {
        for (const [place, decision] of decide(wanted, shelf).entries()) {
          const { terms } = wanted[place] ?? {};
          if (terms === undefined || 'code' in terms || 'failure' in decision) continue;
          const due = terms.lines.map((line) => ({ ...line, costMicros: costMicros(line.grams, line.priceMicros) }));
          expect(decision.lines).toEqual(due);
          expect(decision.costMicros).toBe(due.reduce((sum, line) => sum + line.costMicros, 0n));
        }
      }),
    );
  });

  it('never gives two offsets their credits by one estimate, and frees it when the first one fails', () => {
    fc.assert(
      fc.property(demands, shelves, (wanted, shelf) => {
        const served = new Set<string>();
        for (const [place, decision] of decide(wanted, shelf).entries()) {
          const { terms } = wanted[place] ?? {};
          if (terms === undefined || 'code' in terms) continue;
          const isUsed = 'failure' in decision && decision.failure.code === 'estimate_used';
          expect(isUsed).toBe(served.has(terms.estimate));
          if ('lines' in decision) served.add(terms.estimate);
        }
      }),
    );
  });

  it('never gives more of an asset than is available, to plain ones and others together', () => {
    fc.assert(
      fc.property(demands, shelves, (wanted, shelf) => {
        const left = new Map(shelf.map(({ asset: id, available }) => [id, available]));
        for (const line of decide(wanted, shelf).flatMap(linesOf)) {
          left.set(line.asset, (left.get(line.asset) ?? 0n) - line.grams);
        }
        for (const available of left.values()) expect(available).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('keeps what is there for them alone from plain ones', () => {
    fc.assert(
      fc.property(demands, shelves, (wanted, shelf) => {
        const reserved = new Set(shelf.filter(({ onlyOnTerms }) => onlyOnTerms).map(({ asset: id }) => id));
        const plain = decide(wanted, shelf).filter((_, place) => wanted[place]?.terms === undefined);
        expect(plain.flatMap(linesOf).filter(({ asset: id }) => reserved.has(id))).toEqual([]);
      }),
    );
  });

  it('serves a plain one whenever enough is left for it, from the preferred assets first', () => {
    fc.assert(
      fc.property(demands, shelves, (wanted, shelf) => {
        const row = [...shelf].sort(DEFAULT.compare).filter(({ onlyOnTerms }) => !onlyOnTerms);
        const left = new Map(row.map(({ asset: id, available }) => [id, available]));
        for (const [place, decision] of decide(wanted, shelf).entries()) {
          const { grams = 0n, terms } = wanted[place] ?? {};
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

  it('decides the same in whatever order it is told of the supply', () => {
    const shuffled = shelves.chain((shelf) =>
      fc.tuple(fc.constant(shelf), fc.shuffledSubarray(shelf, { minLength: shelf.length })),
    );
    fc.assert(
      fc.property(demands, shuffled, (wanted, [one, other]) => {
        expect(decide(wanted, one)).toEqual(decide(wanted, other));
      }),
    );
  });
});

describe('a batch of which enough is decided', () => {
  it('is decided as far as that just as it would be as a whole, and no further', () => {
    fc.assert(
      fc.property(demands, shelves, fc.integer({ min: 1, max: 12 }), (wanted, shelf, enough) => {
        const [some, all] = [allocate(wanted, shelf, DEFAULT, enough), decide(wanted, shelf)];
        expect(some).toEqual(all.slice(0, some.length));
        const before = some.slice(0, -1).flatMap(linesOf).length;
        expect(before).toBeLessThan(enough);
        if (some.length < all.length) expect(some.flatMap(linesOf).length).toBeGreaterThanOrEqual(enough);
      }),
    );
  });
});

describe('an offset that would be retired from very many assets', () => {
  const lots = (count: number): Supply[] =>
    Array.from({ length: count }, (_, n) => ({ asset: `pool_${n}`, available: 1n, priceMicros: BigInt(n) }));

  it('is served from as many as its event has room for', () => {
    expect(linesOf(decide([{ offset: 'off_1', grams: BigInt(MOST_LINES) }], lots(MOST_LINES + 1))[0])).toHaveLength(
      MOST_LINES,
    );
  });

  it('has an event that fits into a message, however large its lines are', () => {
    const entry = {
      asset: `proj_${'x'.repeat(64)}`,
      offset: 'off_1',
      grams: 10n ** 15n,
      priceMicros: 10n ** 12n,
      at: '2026-11-21T08:00:00.000Z',
      sequence: 10n ** 15n,
      hash: Buffer.alloc(32),
      previousHash: Buffer.alloc(32),
    };
    const offset = {
      ...{ id: `off_${'0'.repeat(26)}`, account: 'a'.repeat(64), kgCO2e: 1e12, createdAt: entry.at },
      ...{ estimateId: '\u{1f333}'.repeat(256), customerRef: '\u{1f333}'.repeat(256) },
      ...{ grams: 10n ** 15n, costMicros: 10n ** 21n },
      ...{ fingerprint: 'f'.repeat(64), reference: '\u{1f333}'.repeat(256) },
    };
    const event = completedEvent(
      offset,
      Array.from({ length: MOST_LINES }, () => entry),
      entry.at,
    );
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(1_000_000);
  });

  it('fails beyond that, takes nothing, and leaves room for a smaller one', () => {
    const one = { offset: 'off_1', grams: BigInt(MOST_LINES) + 1n };
    const decisions = decide([one, { offset: 'off_2', grams: 2n }], lots(MOST_LINES + 1));
    expect(decisions).toMatchObject([{ failure: { code: 'insufficient_supply' } }, { lines: [{}, {}] }]);
  });
});
