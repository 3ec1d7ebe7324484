import { assetSchema, canonicalJson } from '@carbon/contracts';
import fc from 'fast-check';
import { canonicalAsset } from './canonical-asset.js';

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const members = fc.record(
  {
    name: text,
    ticker: text,
    description: text,
    rating: number,
    price: fc.nat(1e9).map((micros) => micros / 1e6),
    issued: fc.constantFrom(0, -0, 0.000001, 8_589_934_592),
    active: fc.boolean(),
    categories: fc.array(text, { maxLength: 3 }),
    vintages: fc.array(fc.integer(), { maxLength: 3 }),
  },
  { requiredKeys: ['name'] },
);

describe('the canonical JSON of an asset', () => {
  it('is that of RFC 8785, whatever the order and the values of its members', () => {
    let sound = 0;
    fc.assert(
      fc.property(members, fc.boolean(), (drawn, first) => {
        const rest = { id: 'pool_a', type: 'POOL', source: 'TOUCAN' };
        const result = assetSchema.safeParse(first ? { ...drawn, ...rest } : { ...rest, ...drawn });
        if (!result.success) return;
        sound += 1;
        expect(canonicalAsset(result.data)).toBe(canonicalJson(result.data));
      }),
      { numRuns: 1_000 },
    );
    expect(sound).toBeGreaterThan(200);
  });
});
