import fc from 'fast-check';
import { or } from './criteria.js';
import { literal } from './literals.js';
import { anyText, equal, held, joined, negated, read } from './test-trees.js';
import { where } from './where.js';

describe('criteria built of fields and values', () => {
  it('keep any text as the value it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(read(({ ticker }) => ticker.eq(text))).toEqual(equal('ticker', held(text)));
        expect(read(({ name }) => name.eq(text))).toEqual(equal('name', held(text)));
        expect(read(({ country }) => country.ne(text))).toEqual(negated(equal('country', held(text))));
      }),
      { numRuns: 400 },
    );
  });

  it('can be sent: what cannot be written as UTF-8 is spelt out', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const criteria = `${where.pools(({ ticker }) => or(ticker.eq(text), ticker.startsWith(text)))}`;
        expect(new URLSearchParams(`${new URLSearchParams({ criteria })}`).get('criteria')).toBe(criteria);
      }),
    );
  });

  it('keep any number, and refuse what is none', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(read(({ rating }) => rating.eq(number))).toEqual(equal('rating', number + 0));
        expect(read(({ price }) => price.gt(number))).toEqual({
          kind: 'range',
          field: 'price',
          bounds: { gt: number + 0 },
        });
      }),
    );
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => where.pools(({ rating }) => rating.eq(none))).toThrow(RangeError);
    }
  });

  it('keep any point in time', () => {
    const years = {
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.998Z'),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(fc.date(years), (time) => {
        const bounds = { gte: time.getTime(), lt: time.getTime() + 1 };
        expect(read(({ listedAt }) => listedAt.eq(time))).toEqual({ kind: 'range', field: 'listedAt', bounds });
      }),
    );
    expect(() => where.pools(({ listedAt }) => listedAt.eq(new Date(Number.NaN)))).toThrow(RangeError);
  });

  it('keep any list of texts; of none, nothing is found by one and everything by the other', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), (texts) => {
        const some = joined(
          'or',
          texts.map((text) => equal('source', held(text))),
        );
        expect(read(({ source }) => source.in(texts))).toEqual(some);
        expect(read(({ source }) => source.notIn(new Set(texts)))).toEqual(
          negated(
            joined(
              'or',
              [...new Set(texts)].map((text) => equal('source', held(text))),
            ),
          ),
        );
      }),
    );
  });

  it('keep any text within a pattern, where it can be mistaken for no wildcard', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = literal(held(text).replaceAll(/[\u2047-\u2049\u204e\uff0a\uff1f\uff3c]/g, ''));
        const form = (pattern: string) => ({ kind: 'pattern', field: 'name', on: 'whole', pattern });
        expect(read(({ name }) => name.like(`ab*${plain}`))).toEqual(form(`ab*${plain}`));
        expect(read(({ name }) => name.like(`?bcd${plain}`))).toEqual(form(`?bcd${plain}`));
      }),
      { numRuns: 300 },
    );
  });

  it('let the service refuse half a character, and do not send another in its place', () => {
    const text = String(where.pools(({ ticker }) => ticker.eq('a\ud800b')));
    expect(text).toBe('ticker = "a\\ud800b"');
    expect(() => read(({ ticker }) => ticker.eq('a\ud800b'))).toThrow('half a surrogate pair');
  });

  it('are refused before they are sent when a value is missing', () => {
    const missing = undefined as unknown as string;
    expect(() => where.pools(({ ticker }) => ticker.eq(missing))).toThrow(TypeError);
    expect(() => where.pools(({ ticker }) => ticker.in([missing]))).toThrow(TypeError);
  });
});
