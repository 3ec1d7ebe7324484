import fc from 'fast-check';
import {
  costMicros,
  creditsFromGrams,
  gramsFromCredits,
  gramsFromKg,
  hasDecimals,
  microsFromUsd,
  usdFromMicros,
} from './quantity.js';

/** Up to 2^33, a double has six exact decimals. */
const exact = fc.bigInt({ min: 0n, max: 2n ** 33n * 1_000_000n });

/**
 * Returns the exact value of the shortest decimal text of `value`, in 10^-400 units: a second way to the same number.
 */
function decimal(value: number): bigint {
  const [, units = '', decimals = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return BigInt(units + decimals) * 10n ** BigInt(400 + Number(exponent) - decimals.length);
}

/** Any weight, or one of at most fifteen digits, as clients write it. */
const weight = fc.oneof(
  fc.double({ min: Number.MIN_VALUE, max: 1e12, noNaN: true }),
  fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), fc.integer({ min: -3, max: 15 }))
    .map(([digits, decimals]) => Number(`${digits}e${-decimals}`)),
);

describe('kilograms', () => {
  it.each([
    [1234.5, 1_234_500n],
    [0.001, 1n],
    [0.0001, 1n],
    [1.0001, 1_001n],
    [0.1 + 0.2, 301n],
    [0.3, 300n],
    [1e12, 1_000_000_000_000_000n],
    [1e-7, 1n],
    [Number.MIN_VALUE, 1n],
    [1e21, 10n ** 24n],
  ])('%s kg are %d g', (kg, expected) => {
    expect(gramsFromKg(kg)).toBe(expected);
  });

  it('are rounded up by less than a gram', () => {
    fc.assert(
      fc.property(weight, (kg) => {
        const gram = 10n ** 397n;
        const surplus = gramsFromKg(kg) * gram - decimal(kg);
        expect([kg, surplus >= 0n && surplus < gram]).toEqual([kg, true]);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('are not %d', (kg) => {
    expect(() => gramsFromKg(kg)).toThrow(RangeError);
  });
});

describe('credits and money', () => {
  it('are converted without loss up to 2^33', () => {
    fc.assert(
      fc.property(exact, (whole) => {
        expect(gramsFromCredits(creditsFromGrams(whole))).toBe(whole);
        expect(microsFromUsd(usdFromMicros(whole))).toBe(whole);
      }),
    );
  });

  it('are the nearest JSON number', () => {
    expect([1_234_500n, 1n, 0n, -1_500_000n].map(creditsFromGrams)).toEqual([1.2345, 0.000001, 0, -1.5]);
  });

  it('are rejected with more than six decimals', () => {
    expect(gramsFromCredits(0.000001)).toBe(1n);
    expect(() => gramsFromCredits(0.0000001)).toThrow(RangeError);
    expect(microsFromUsd(12.345678)).toBe(12_345_678n);
    expect(() => microsFromUsd(1.2345678)).toThrow(RangeError);
  });
});

describe('the cost of a line', () => {
  it.each([
    [1_000_000n, 5_000_000n, 5_000_000n],
    [1n, 499_999n, 0n],
    [1n, 500_000n, 1n],
    [3n, 500_000n, 2n],
    [0n, 1_000_000n, 0n],
  ])('of %d g at %d micros a credit is %d micros', (grams, price, expected) => {
    expect(costMicros(grams, price)).toBe(expected);
  });

  it('is the product rounded half up', () => {
    const [grams, price] = [fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: 10n ** 12n })];
    fc.assert(
      fc.property(grams, price, (weight, micros) => {
        const digits = String(weight * micros).padStart(7, '0');
        const kept = BigInt(digits.slice(0, -6));
        expect(costMicros(weight, micros)).toBe(Number(digits.at(-6)) >= 5 ? kept + 1n : kept);
      }),
    );
  });
});

describe('hasDecimals', () => {
  it.each([
    [1, 0, true],
    [1.5, 0, false],
    [0.000001, 6, true],
    [0.0000001, 6, false],
    [1e-7, 7, true],
    [1e21, 0, true],
    [Number.NaN, 6, false],
    [Number.POSITIVE_INFINITY, 6, false],
  ])('of %d, at most %d: %s', (value, places, expected) => {
    expect(hasDecimals(value, places)).toBe(expected);
  });

  it('agrees with the decimal text of any number', () => {
    const decimals = (value: number) => {
      const [mantissa = '', exponent = '0'] = String(value).split('e');
      return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
    };
    const near = fc.tuple(fc.integer({ min: -(2 ** 53), max: 2 ** 53 }), fc.constantFrom(1, 1e5, 1e6, 1e7, 3));
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      near.map(([whole, divisor]) => whole / divisor),
      fc.double({ min: -1e7, max: 1e7, noNaN: true }).map((value) => Number(value.toFixed(7))),
    );
    fc.assert(
      fc.property(numbers, fc.nat(9), (value, places) => {
        expect(hasDecimals(value, places)).toBe(decimals(value) <= places);
      }),
      { numRuns: 5_000 },
    );
  });
});
