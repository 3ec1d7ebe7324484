import fc from 'fast-check';
import { checkEstimate, chooseEstimates, type Estimate } from './estimate.js';

const ESTIMATE: Estimate = {
  id: 'est_1',
  account: 'acme',
  grams: 1_500n,
  expiresAt: new Date('2026-11-22T08:00:00.000Z'),
  lines: [{ asset: 'pool_a', grams: 1_500n, priceMicros: 7n }],
};
const OFFSET = {
  account: 'acme',
  grams: 1_500n,
  createdAt: new Date('2026-11-21T08:00:00.000Z'),
};
const at = (time: string) => ({ ...OFFSET, createdAt: new Date(time) });

describe('the lines of an offset that names an estimate', () => {
  it('are the lines of the estimate', () => {
    expect(checkEstimate(OFFSET, ESTIMATE, false)).toEqual({ estimate: 'est_1', lines: ESTIMATE.lines });
  });

  it.each<[string, string, typeof OFFSET, Estimate | undefined, boolean?]>([
    ['estimate_not_found', 'there is no such estimate', OFFSET, undefined],
    ['estimate_not_found', "it is another account's", { ...OFFSET, account: 'thief' }, ESTIMATE],
    ['estimate_mismatch', 'it is for a gram less', { ...OFFSET, grams: 1_501n }, ESTIMATE],
    ['estimate_mismatch', 'it is for a gram more', { ...OFFSET, grams: 1_499n }, ESTIMATE],
    ['estimate_used', 'another offset has used it', OFFSET, ESTIMATE, true],
    ['estimate_expired', 'it had expired 5.001 s earlier', at('2026-11-22T08:00:05.001Z'), ESTIMATE],
  ])('are a failure, %s, when %s', (code, _, offset, estimate, isUsed = false) => {
    expect(checkEstimate(offset, estimate, isUsed)).toMatchObject({ code });
  });

  it('are still valid for an offset that was accepted 5 s after the expiry, because clocks differ', () => {
    expect(checkEstimate(at('2026-11-22T08:00:05.000Z'), ESTIMATE, false)).toHaveProperty('lines');
  });

  it("reveal nothing about another account's estimate", () => {
    const ofOtherAccount = { ...at('2027-01-01T00:00:00.000Z'), account: 'thief', grams: 1n };
    expect(checkEstimate(ofOtherAccount, ESTIMATE, true)).toEqual(checkEstimate(ofOtherAccount, undefined, true));
  });
});

describe('the estimates that a batch reads', () => {
  const counts = new Map(Object.entries({ small: 1, large: 9, huge: 30 }));
  const chosen = (...named: string[]) => [...chooseEstimates(named, counts, 10)];

  it.each([
    ['none, when no estimate is named', [], []],
    ['each once, up to the number of lines', ['small', 'large', 'small', 'large'], ['small', 'large']],
    ['those before the first that does not fit', ['large', 'small', 'huge'], ['large', 'small']],
    ['the first one, however large it is', ['huge', 'small'], ['huge']],
    ['none after the first that does not fit', ['large', 'huge', 'small'], ['large']],
    [
      'unknown ones too, which count no lines',
      ['large', 'unknown', 'gone', 'small'],
      ['large', 'unknown', 'gone', 'small'],
    ],
  ])('are %s', (_, named, taken) => {
    expect(chosen(...named)).toEqual(taken);
  });

  it('are the longest run of the first named ones that fits', () => {
    const named = fc.array(fc.record({ id: fc.stringMatching(/^[a-f]$/), lines: fc.nat(6) }), { maxLength: 12 });
    fc.assert(
      fc.property(named, fc.integer({ min: 1, max: 12 }), (all, most) => {
        const lineCounts = new Map(all.map(({ id, lines }) => [id, lines]));
        const ids = [...new Set(all.map(({ id }) => id))];
        const some = [...chooseEstimates(ids, lineCounts, most)];
        const linesOf = (each: readonly string[]) => each.reduce((sum, id) => sum + (lineCounts.get(id) ?? 0), 0);
        expect(some).toEqual(ids.slice(0, some.length));
        if (some.length > 1) expect(linesOf(some)).toBeLessThanOrEqual(most);
        if (some.length < ids.length) expect(linesOf(ids.slice(0, some.length + 1))).toBeGreaterThan(most);
      }),
    );
  });
});
