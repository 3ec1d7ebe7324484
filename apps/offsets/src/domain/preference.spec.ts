import fc from 'fast-check';
import { DEFAULT_PREFERENCE, PREFERENCE_WORDS, Preference } from './preference.js';

const read = (text: string) => Preference.read(text) as Preference;

const supply = fc.record({
  asset: fc.constantFrom('pool_a', 'pool_b', 'pool_c', 'pool_d'),
  available: fc.constant(1n),
  priceMicros: fc.bigInt({ min: 0n, max: 2n }),
  rating: fc.option(fc.constantFrom(-1.5, 0, 4, 5), { nil: undefined }),
});

/** All texts that are valid preferences. */
const TEXTS = PREFERENCE_WORDS.flatMap((first) => [
  first,
  ...PREFERENCE_WORDS.filter((word) => word.replace('-', '') !== first.replace('-', '')).map(
    (word) => `${first},${word}`,
  ),
]);

describe('a preference', () => {
  const cheap = { asset: 'pool_cheap', priceMicros: 1n, rating: 1 };
  const good = { asset: 'pool_good', priceMicros: 3n, rating: 5 };
  const plain = { asset: 'pool_plain', priceMicros: 2n };
  const plain2 = { asset: 'pool_plain2', priceMicros: 2n };

  it.each([
    ['price', ['pool_cheap', 'pool_plain', 'pool_plain2', 'pool_good']],
    ['-price', ['pool_good', 'pool_plain', 'pool_plain2', 'pool_cheap']],
    ['rating', ['pool_cheap', 'pool_good', 'pool_plain', 'pool_plain2']],
    [' -rating , price', ['pool_good', 'pool_cheap', 'pool_plain', 'pool_plain2']],
    [DEFAULT_PREFERENCE, ['pool_cheap', 'pool_plain', 'pool_plain2', 'pool_good']],
  ])('of "%s" takes %j', (text, expected) => {
    const sorted = [plain2, good, plain, cheap].sort(read(text).compare);
    expect(sorted.map(({ asset }) => asset)).toEqual(expected);
  });

  it.each(['', 'price,', 'colour', 'price,-price', 'rating,price,rating', '--price', 'price;-rating', 'Price'])(
    'cannot be "%s"',
    (text) => {
      expect(Preference.read(text)).toBeUndefined();
    },
  );

  it.each(TEXTS)('of "%s" is a total order: only the same asset is equal to itself', (text) => {
    const { compare } = read(text);
    fc.assert(
      fc.property(supply, supply, supply, (a, b, c) => {
        expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
        if (compare(a, b) === 0) expect(a.asset).toBe(b.asset);
      }),
    );
  });
});
