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

const weight = fc.double({ min: Number.MIN_VALUE, max: 1e12, noNaN: true });
const grams = fc.bigInt({ min: 0n, max: 10n ** 15n });
/** Up to 2^33 with six decimals, neighbouring doubles lie less than a millionth apart. */
const exact = fc.bigInt({ min: 0n, max: 2n ** 33n * 1_000_000n });
const price = fc.bigInt({ min: 0n, max: 10n ** 12n });

/** The exact value of the shortest decimal text of `value`, in 10^-400 units: a second way to the same figure. */
function decimal(value: number): bigint {
  const [, units = '', decimals = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return BigInt(units + decimals) * 10n ** BigInt(400 + Number(exponent) - decimals.length);
}

/** A JSON number as a client may write it, of at most fifteen digits: so many survive a double whatever they are. */
const written = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), fc.integer({ min: -3, max: 15 }), fc.boolean())
  .map(([digits, decimals, asPower]) => ({
    digits,
    decimals,
    json: asPower || decimals < 0 ? `${digits}e${-decimals}` : plain(String(digits), decimals),
  }));

function plain(digits: string, decimals: number): string {
  const text = digits.padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

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
  ])('%d kg are %d g', (kg, expected) => {
    expect(gramsFromKg(kg)).toBe(expected);
  });

  it('never become less than what was sent, and never a whole gram more', () => {
    fc.assert(
      fc.property(weight, (kg) => {
        const unit = 10n ** 397n;
        const exact = decimal(kg);
        const rounded = gramsFromKg(kg) * unit;
        expect(rounded >= exact && rounded - exact < unit).toBe(true);
      }),
    );
  });

  it('are those of the very text that was sent, up to the next gram: neither a gram less nor one more', () => {
    fc.assert(
      fc.property(written, ({ digits, decimals, json }) => {
        // digits × 10^-decimals kg; in units of 10^-15 g, of which a gram has 10^15.
        const exact = digits * 10n ** BigInt(3 + 15 - decimals);
        const gram = 10n ** 15n;
        expect(gramsFromKg(JSON.parse(json))).toBe(exact / gram + (exact % gram === 0n ? 0n : 1n));
      }),
      { numRuns: 5_000 },
    );
  });

  it('of several weights are never fewer than the grams of their sum, and at most a gram more for each', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 10n ** 10n }), { minLength: 1, maxLength: 8 }), (parts) => {
        // In hundred-thousandths of a kilogram, hundredths of a gram.
        const kg = (part: bigint) => Number(plain(String(part), 5));
        const together = gramsFromKg(kg(parts.reduce((sum, part) => sum + part, 0n)));
        const apart = parts.reduce((sum, part) => sum + gramsFromKg(kg(part)), 0n);
        expect(apart >= together && apart < together + BigInt(parts.length)).toBe(true);
      }),
    );
  });

  it('of more weight never give fewer grams', () => {
    fc.assert(
      fc.property(weight, weight, (a, b) => {
        expect(gramsFromKg(Math.min(a, b)) <= gramsFromKg(Math.max(a, b))).toBe(true);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('cannot be %d', (kg) => {
    expect(() => gramsFromKg(kg)).toThrow(RangeError);
  });
});

describe('credits', () => {
  it('of up to 2^33 come back as the same grams', () => {
    fc.assert(
      fc.property(exact, (whole) => {
        expect(gramsFromCredits(creditsFromGrams(whole))).toBe(whole);
      }),
    );
  });

  it('are shown as the nearest JSON number', () => {
    expect(creditsFromGrams(1_234_500n)).toBe(1.2345);
    expect(creditsFromGrams(1n)).toBe(0.000001);
    expect(creditsFromGrams(0n)).toBe(0);
    expect(creditsFromGrams(-1_500_000n)).toBe(-1.5);
  });

  it('with a part of a gram are refused', () => {
    expect(() => gramsFromCredits(0.0000001)).toThrow(RangeError);
    expect(gramsFromCredits(0.000001)).toBe(1n);
  });
});

describe('money', () => {
  it('goes to micro-dollars and back unchanged up to 2^33 dollars', () => {
    fc.assert(
      fc.property(exact, (micros) => {
        expect(microsFromUsd(usdFromMicros(micros))).toBe(micros);
      }),
    );
  });

  it('with more than six decimals is refused', () => {
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
  ])('of %d g at %d micros a credit is %d micros', (weightGrams, micros, expected) => {
    expect(costMicros(weightGrams, micros)).toBe(expected);
  });

  it('is at most half a micro-dollar away from the exact product, the half rounded up', () => {
    fc.assert(
      fc.property(grams, price, (weightGrams, micros) => {
        const difference = costMicros(weightGrams, micros) * 1_000_000n - weightGrams * micros;
        expect(difference > -500_000n && difference <= 500_000n).toBe(true);
      }),
    );
  });

  it('is the product as one would round it on paper: up where the first digit that is dropped is 5 or more', () => {
    fc.assert(
      fc.property(grams, price, (weightGrams, micros) => {
        const digits = String(weightGrams * micros).padStart(7, '0');
        const kept = BigInt(digits.slice(0, -6));
        expect(costMicros(weightGrams, micros)).toBe(Number(digits.at(-6)) >= 5 ? kept + 1n : kept);
      }),
    );
  });

  it('of a whole split into lines is within half a micro-dollar a line of the cost of the whole', () => {
    fc.assert(
      fc.property(fc.array(grams, { minLength: 1, maxLength: 12 }), price, (lines, micros) => {
        const whole = lines.reduce((sum, line) => sum + line, 0n) * micros;
        const sum = lines.reduce((total, line) => total + costMicros(line, micros), 0n) * 1_000_000n;
        const most = BigInt(lines.length) * 500_000n;
        expect(sum - whole > -most && sum - whole <= most).toBe(true);
      }),
    );
  });

  it('grows with weight and with price', () => {
    fc.assert(
      fc.property(grams, price, (weightGrams, micros) => {
        expect(costMicros(weightGrams + 1n, micros) >= costMicros(weightGrams, micros)).toBe(true);
        expect(costMicros(weightGrams, micros + 1n) >= costMicros(weightGrams, micros)).toBe(true);
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
