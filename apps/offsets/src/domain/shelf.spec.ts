import fc from 'fast-check';
import { INSUFFICIENT_SUPPLY, TOO_SCATTERED } from './failure.js';
import { Shelf, type Supply } from './shelf.js';

const supplies: fc.Arbitrary<Supply[]> = fc
  .array(fc.record({ available: fc.bigInt({ min: 0n, max: 6n }), onlyOnTerms: fc.boolean() }), { maxLength: 8 })
  .map((all) => all.map((each, n) => ({ ...each, asset: `pool_${n}`, priceMicros: 1n })));
const sum = (all: readonly bigint[]) => all.reduce((one, other) => one + other, 0n);

describe('taking from the front of a shelf', () => {
  it('takes from no more assets than one offset may have, and says whether there was too little or too scattered', () => {
    const wanted = fc.array(fc.bigInt({ min: 1n, max: 20n }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(supplies, wanted, fc.integer({ min: 1, max: 4 }), (all, demands, most) => {
        const shelf = new Shelf(all, most);
        const left = all.filter(({ onlyOnTerms }) => !onlyOnTerms).map(({ available }) => available);
        for (const grams of demands) {
          const taken = shelf.take(grams);
          const row = left.filter((available) => available > 0n);
          if (grams <= sum(row.slice(0, most))) expect(taken).not.toHaveProperty('code');
          else if (grams <= sum(row)) expect(taken).toBe(TOO_SCATTERED);
          else expect([INSUFFICIENT_SUPPLY, TOO_SCATTERED]).toContain(taken);
          if ('code' in taken) continue;
          expect(taken.length).toBeLessThanOrEqual(most);
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
